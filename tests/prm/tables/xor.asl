/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Two bridges, whose 2-way window is interleaved by XOR; four maps for 256 bytes. */

                 Signature : "CEDT"
              Table Length : 00000000
                  Revision : 01
                  Checksum : 00
                    Oem ID : "BOCHS "
              Oem Table ID : "BXPC    "
              Oem Revision : 00000001
           Asl Compiler ID : "BXPC"
     Asl Compiler Revision : 00000001

             Subtable Type : 00
                  Reserved : 00
                    Length : 0020
    Associated host bridge : 000000DE
     Specification version : 00000001
                  Reserved : 00000000
             Register base : 0000000100000000
           Register length : 0000000000010000

             Subtable Type : 00
                  Reserved : 00
                    Length : 0020
    Associated host bridge : 0000000C
     Specification version : 00000001
                  Reserved : 00000000
             Register base : 0000000100010000
           Register length : 0000000000010000

             Subtable Type : 01
                  Reserved : 00
                    Length : 002C
                  Reserved : 00000000
       Window base address : 0000000110000000
               Window size : 0000000100000000
        Interleave Members : 01
     Interleave Arithmetic : 01
                  Reserved : 0000
               Granularity : 00000000
              Restrictions : 000F
                     QtgId : 0000
              First Target : 0000000C
               Next Target : 000000DE

             Subtable Type : 01
                  Reserved : 00
                    Length : 0028
                  Reserved : 00000000
       Window base address : 0000000210000000
               Window size : 0000000100000000
        Interleave Members : 00
     Interleave Arithmetic : 00
                  Reserved : 0000
               Granularity : 00000000
              Restrictions : 000F
                     QtgId : 0000
              First Target : 0000000C

             Subtable Type : 01
                  Reserved : 00
                    Length : 0028
                  Reserved : 00000000
       Window base address : 0000000310000000
               Window size : 0000000100000000
        Interleave Members : 00
     Interleave Arithmetic : 00
                  Reserved : 0000
               Granularity : 00000000
              Restrictions : 000F
                     QtgId : 0000
              First Target : 000000DE

             Subtable Type : 02
                  Reserved : 00
                    Length : 0028
                  Reserved : 0000
    Interleave Granularity : 00
         Xormap List Count : 04
              First Xormap : 0000000002020900
               Next Xormap : 0000000004041200
               Next Xormap : 0000000001010400
               Next Xormap : 0000000000000800
