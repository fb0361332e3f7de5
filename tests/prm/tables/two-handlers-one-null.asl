/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One module with two handlers, the second with another GUID and without an address. */

                 Signature : "PRMT"
              Table Length : 00000000
                  Revision : 00
                  Checksum : 00
                    Oem ID : "CXLLAB"
              Oem Table ID : "PRMCXL  "
              Oem Revision : 00000001
           Asl Compiler ID : "LAB "
     Asl Compiler Revision : 00000001

             Platform GUID : 4C4142AA-4358-4C50-524D-504C4154464D
        Module info offset : 0000003C
         Module info count : 00000001

                  Revision : 0000
                    Length : 007E
               Module GUID : 4C4142AA-4358-4C50-524D-4D4F44554C45
            Major Revision : 0001
            Minor Revision : 0000
        Handler Info Count : 0002
       Handler Info Offset : 00000026
         Mmio List pointer : 0000000000000000

                  Revision : 0000
                    Length : 002C
              Handler GUID : EE41B397-25D4-452C-AD54-48C6E3480B94
           Handler address : 000000007F654000
       Static Data Address : 000000007F51B040
    ACPI Parameter Address : 0000000000000000

                  Revision : 0000
                    Length : 002C
              Handler GUID : EE41B396-25D4-452C-AD54-48C6E3480B94
           Handler address : 0000000000000000
       Static Data Address : 000000007F51B040
    ACPI Parameter Address : 0000000000000000
