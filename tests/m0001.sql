-- A database as the step m0001 left it, with a match and its log, and one with nothing entered.
PRAGMA journal_mode=WAL;
BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'fiveup_ref','m0001_matches_and_entries','2026-11-30 09:45:38.274791+00:00');
CREATE TABLE "entries" (
   "match" TEXT NOT NULL REFERENCES "matches"("id"),
   "number" INTEGER NOT NULL,
   "key" TEXT,
   "time" TEXT NOT NULL,
   "who" TEXT NOT NULL,
   "event" TEXT NOT NULL,
   PRIMARY KEY ("match", "number")
);
INSERT INTO "entries" VALUES('first-match-of-m0001aa',1,'k0','2026-11-29T13:15:00.000000+00:00','Ani''s phone','{"type":"RoundOpened","seat":"A","by":"lot","lots":[]}');
INSERT INTO "entries" VALUES('first-match-of-m0001aa',2,'k1','2026-11-29T13:15:01.000000+00:00','Ani''s phone','{"type":"Played","seat":"A","tile":"5-5","onto":null}');
INSERT INTO "entries" VALUES('first-match-of-m0001aa',3,'k2','2026-11-29T13:15:02.000000+00:00','Ani''s phone','{"type":"Played","seat":"B","tile":"5-0","onto":"5-5"}');
INSERT INTO "entries" VALUES('first-match-of-m0001aa',4,'k3','2026-11-29T13:15:03.000000+00:00','Ani''s phone','{"type":"Drew","seat":"A","tiles":2}');
INSERT INTO "entries" VALUES('first-match-of-m0001aa',5,'k4','2026-11-29T13:15:04.000000+00:00','Ani''s phone','{"type":"Played","seat":"A","tile":"6-5","onto":"5-5"}');
INSERT INTO "entries" VALUES('first-match-of-m0001aa',6,'k5','2026-11-29T13:15:05.000000+00:00','Ani''s phone','{"type":"Undone","entry":5}');
INSERT INTO "entries" VALUES('first-match-of-m0001aa',7,'k6','2026-11-29T13:15:06.000000+00:00','Ani''s phone','{"type":"Undone","entry":6}');
INSERT INTO "entries" VALUES('first-match-of-m0001aa',8,'k7','2026-11-29T13:15:07.000000+00:00','Ani''s phone','{"type":"Amended","entry":3,"event":{"type":"Played","seat":"B","tile":"5-1","onto":"5-5"}}');
INSERT INTO "entries" VALUES('first-match-of-m0001aa',9,'k8','2026-11-29T13:15:08.000000+00:00','Ani''s phone','{"type":"Adjusted","team":"A","points":-2,"reason":"house rule"}');
INSERT INTO "entries" VALUES('first-match-of-m0001aa',10,'k9','2026-11-29T13:15:09.000000+00:00','Ani''s phone','{"type":"Noted","text":"tea"}');
CREATE TABLE "matches" (
   "id" TEXT PRIMARY KEY NOT NULL,
   "key" TEXT,
   "title" TEXT NOT NULL,
   "started" TEXT NOT NULL,
   "zone" TEXT NOT NULL,
   "rules" TEXT NOT NULL,
   "players" TEXT NOT NULL
);
INSERT INTO "matches" VALUES('first-match-of-m0001aa','k','Friday','2026-11-29T13:15:00.000000+00:00','+07:00','{"preset":"five-up","players":2,"spinners":7,"hand":5,"reserve":0,"settlement":"deduct-own","points_per_five":1,"target":61,"target_check":"after-round","exact":false,"partners":false,"stop_when_dead":false}','["Ani","Budi"]');
INSERT INTO "matches" VALUES('second-match-of-m0001a',NULL,'','2026-11-29T13:15:00.000000+00:00','','{"preset":"all-fives","players":4,"spinners":1,"hand":5,"reserve":0,"settlement":"winner-takes","points_per_five":5,"target":200,"target_check":"at-once","exact":false,"partners":true,"stop_when_dead":false}','["Ani","Budi","Citra","Dewi"]');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE UNIQUE INDEX "idx_matches_key"
    ON "matches" ("key");
CREATE UNIQUE INDEX "idx_entries_match_key"
    ON "entries" ("match", "key");
CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never changed: enter an undo or a correction'); END;
CREATE TRIGGER entries_no_delete BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never changed: enter an undo or a correction'); END;
CREATE TRIGGER entries_in_order BEFORE INSERT ON entries WHEN new.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM entries WHERE match = new.match) BEGIN SELECT RAISE(ABORT, 'entries are numbered one after another'); END;
COMMIT;
