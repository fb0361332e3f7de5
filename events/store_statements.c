// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/store_statements.h"

#include "events/store_columns.h"

/* These values tell which rows are removed with an entry, and which are counted. */
#define REMOVED " RETURNING seq, detail, grp, resolved"

static const char *const statements[WRITER_STATEMENTS] = {
	[STMT_BEGIN] = "BEGIN IMMEDIATE",
	[STMT_COMMIT] = "COMMIT",
	[STMT_ROLLBACK] = "ROLLBACK",
	[STMT_FIND] = "SELECT 1 FROM details WHERE identity = ?",
	[STMT_FIND_ENTRY] = "SELECT 1 FROM entries WHERE seq = ?",
	[STMT_ADD_DETAILS] = "INSERT INTO details (id, identity, final, {columns})"
			     " VALUES (?, ?, ?, {columns?}) ON CONFLICT (identity) DO NOTHING",
	[STMT_ADD_ENTRY] = "INSERT INTO entries (seq, detail, grp, stored, created, spa_class,"
			   " spa_first, spa_last, resolved, incident, before)"
			   " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[STMT_SAVE_GROUP] = "INSERT INTO groups (id, {group}, n, unresolved, stored)"
			    " VALUES (?, {group?}, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
			    " n = excluded.n, unresolved = excluded.unresolved,"
			    " stored = excluded.stored",
	[STMT_ADD_INCIDENT] = "INSERT INTO incidents ({incident}) VALUES ({incident?})",
	[STMT_SAVE_INCIDENT] = "UPDATE incidents SET {incident=} WHERE id = ?",
	[STMT_SAVE_AGE] = "REPLACE INTO ages (one, age, boottime, boot_id, machine, counted)"
			  " VALUES (1, ?, ?, ?, ?, ?)",
	[STMT_FIND_INCIDENT] = "SELECT {incident} FROM incidents WHERE id = ?",
	[STMT_FORMER_INCIDENT] =
		"SELECT {incident} FROM incidents INDEXED BY incidents_by_identity WHERE device = ?"
		" AND kind = ? AND anchor = ? AND known = ? AND place = ? ORDER BY id DESC LIMIT 1",
	[STMT_TRIM_INCIDENTS] = "DELETE FROM incidents WHERE state >= 2 AND id <= (SELECT id FROM"
				" incidents WHERE state >= 2 ORDER BY id DESC LIMIT 1 OFFSET ?)",
	[STMT_CLEAR_INCIDENTS] = "DELETE FROM incidents WHERE state >= 2 AND id <= ?",
	[STMT_SAVE_FINDING] = "REPLACE INTO findings (id, code, object, text, next)"
			      " VALUES (?, ?, ?, ?, ?)",
	[STMT_TRIM_FINDINGS] = "DELETE FROM findings WHERE id NOT IN (SELECT id FROM incidents)",
	[STMT_ENTRY_BEFORE] = "SELECT before, resolved FROM entries WHERE seq = ? AND incident = ?",
	[STMT_FINISH] = "UPDATE details SET final = 1, {answer=} WHERE id = ? AND final = 0"
			" RETURNING {entry}",
	[STMT_FINISH_AS_IS] = "UPDATE details SET final = 1 WHERE id = ? AND final = 0"
			      " RETURNING {entry}",
	[STMT_FIRST_PENDING] = "SELECT min(id) FROM details WHERE final = 0",
	[STMT_SET_META] = "UPDATE numbers SET next = ?, wrapped = ?",
	/* The sum of 2^60 and 2^60 still fits; an overflow would be an error. */
	[STMT_COUNT_LOSS] =
		"INSERT INTO losses (place, n, gaps) VALUES (?, ?, 1) ON CONFLICT"
		" (place) DO UPDATE SET gaps = gaps + 1, n = min(n + excluded.n, 1 << 60)",
	[STMT_FIND_RING] = "SELECT n FROM rings WHERE cpu = ? AND boot_id = ? AND instance = ?",
	[STMT_SET_RING] = "INSERT INTO rings (cpu, boot_id, instance, n) VALUES (?, ?, ?, ?)"
			  " ON CONFLICT (cpu) DO UPDATE SET boot_id = excluded.boot_id,"
			  " instance = excluded.instance, n = excluded.n WHERE n <> excluded.n"
			  " OR instance <> excluded.instance OR boot_id <> excluded.boot_id",
	[STMT_SET_COUNT] = "INSERT INTO counts (name, n) VALUES (?, ?)"
			   " ON CONFLICT (name) DO UPDATE SET n = excluded.n",
	[STMT_FIND_RESOLVED] = "SELECT grp, resolved, incident FROM entries WHERE seq = ?",
	[STMT_RESOLVE] = "UPDATE entries SET resolved = ? WHERE seq = ?",
	[STMT_POISON_PUT] =
		"INSERT OR REPLACE INTO poison (seq, detail, device, cleared, class, first, last,"
		" time, boot_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[STMT_POISON_DROP] = "DELETE FROM poison WHERE seq = ?",
	[STMT_POISON_NEAR] =
		"SELECT seq, detail, first, last, time, boot_id FROM poison"
		" INDEXED BY poison_by_range WHERE device = ?1 AND cleared = ?2 AND class = ?3"
		" AND first BETWEEN ?4 AND ?5 AND last >= ?6 AND detail >= ?7 LIMIT ?8",
	[STMT_OLDEST] = "SELECT seq, stored FROM entries ORDER BY seq LIMIT ?",
	[STMT_REMOVE_UPTO] = "DELETE FROM entries WHERE seq <= ?" REMOVED,
	[STMT_CLEAR_ALL] = "DELETE FROM entries WHERE seq IN (SELECT seq FROM entries"
			   " WHERE seq <= ?1 ORDER BY seq LIMIT ?2)" REMOVED,
	[STMT_CLEAR_DEVICE] = "DELETE FROM entries WHERE seq IN (SELECT e.seq FROM groups AS g"
			      " CROSS JOIN entries AS e INDEXED BY entries_by_group"
			      " WHERE g.device = ?3 AND e.grp = g.id AND e.seq <= ?1 LIMIT"
			      " ?2)" REMOVED,
	[STMT_REMOVE_DETAILS] = "DELETE FROM details WHERE id = ?",
	[STMT_PUT_MESSAGE] = "INSERT INTO messages (seq, body) VALUES (?, ?)",
	[STMT_TRIM_MESSAGES] = "DELETE FROM messages WHERE seq <= (SELECT seq FROM messages"
			       " ORDER BY seq DESC LIMIT 1 OFFSET ?)",
};

sqlite3_stmt *store_statement(struct store *s, enum writer_statement which)
{
	(void)sqlite3_reset(s->statements[which]);
	(void)sqlite3_clear_bindings(s->statements[which]);
	return s->statements[which];
}

int store_prepare(sqlite3 *db, const char *statement, sqlite3_stmt **ret)
{
	char sql[STORE_SQL_MAX];

	if (store_columns_expand(statement, sql, sizeof(sql)) < 0)
		return SQLITE_INTERNAL;
	return sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, ret, NULL);
}

int store_prepare_all(struct store *s)
{
	int rc = SQLITE_OK;

	for (int i = 0; i < WRITER_STATEMENTS && rc == SQLITE_OK; i++)
		rc = store_prepare(s->db, statements[i], &s->statements[i]);
	return rc;
}

void store_finalize_all(struct store *s)
{
	for (int i = 0; i < WRITER_STATEMENTS; i++) {
		(void)sqlite3_finalize(s->statements[i]);
		s->statements[i] = NULL;
	}
}
