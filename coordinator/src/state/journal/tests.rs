use std::collections::BTreeMap;

use super::*;

/// Creates a journal with `commits` commits, each of which puts one row.
fn journal(folder: &Path, commits: u64) -> Journal {
    let journal = Journal::begin(folder, Position::default()).unwrap();
    write(&journal, 0..commits);
    journal.sync().unwrap();
    journal
}

fn write(journal: &Journal, commits: std::ops::Range<u64>) {
    for n in commits {
        let (key, row) = (n.to_be_bytes(), [7; 50]);
        let mut writer = journal.writer().unwrap();
        let mut digest = writer.digest();
        digest.add("t", &key, &row);
        writer.stage(digest, [Change { table: "t", key: &key, row: Some(&row) }].into_iter()).unwrap();
        writer.commit();
    }
}

fn read(folder: &Path) -> Result<History, String> {
    History::read(folder, 0).map(Option::unwrap).map_err(|e| e.to_string())
}

/// Returns the keys that the journal puts after commit `after`.
fn keys(folder: &Path, after: u64) -> Vec<u64> {
    let mut keys = Vec::new();
    let apply = |record: &Record<'_>| {
        keys.extend(record.changes.iter().map(|change| u64::from_be_bytes(change.key.try_into().unwrap())));
        Ok::<(), Broken>(())
    };
    read(folder).unwrap().replay(after, apply).unwrap();
    keys
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

#[test]
fn what_was_written_is_read_over_several_segments() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(folder.path(), 10);
    for end in [15, 20] {
        journal.rotate_at(0).unwrap();
        write(&journal, journal.last().seq..end);
        journal.sync().unwrap();
    }
    drop(journal);
    assert_eq!(keys(folder.path(), 0), (0..20).collect::<Vec<_>>());
    assert_eq!(keys(folder.path(), 12), (12..20).collect::<Vec<_>>());
    let history = read(folder.path()).unwrap();
    assert_eq!((history.first.seq, history.last.seq, history.segments.len()), (0, 20, 3));
    let asked = |seq| History::read(folder.path(), seq).unwrap().unwrap().asked.map(|at| at.seq);
    assert_eq!([asked(0), asked(10), asked(20), asked(21)], [Some(0), Some(10), Some(20), None]);
    let journal = Journal::resume(folder.path(), &history, history.last.seq).unwrap();
    write(&journal, 20..22);
    journal.sync().unwrap();
    assert_eq!(keys(folder.path(), 19), [19, 20, 21]);
}

#[test]
fn a_commit_that_was_cut_off_before_it_was_acknowledged_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(folder.path(), 5);
    write(&journal, 5..6);
    drop(journal);
    let (path, whole) = files(folder.path()).into_iter().next().unwrap();
    for cut in 1..100 {
        std::fs::write(&path, &whole[..whole.len() - cut]).unwrap();
        let history = read(folder.path()).unwrap();
        assert_eq!(history.last.seq, 5, "cut by {cut}");
        drop(Journal::resume(folder.path(), &history, history.last.seq).unwrap());
        assert_eq!(read(folder.path()).unwrap().torn, 0);
    }
}

#[test]
fn a_record_that_is_taken_back_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(folder.path(), 2);
    let before = files(folder.path());
    let mut writer = journal.writer().unwrap();
    writer.stage(Digest::default(), [Change { table: "t", key: b"k", row: None }].into_iter()).unwrap();
    assert!(writer.is_staged());
    writer.discard();
    drop(writer);
    assert_eq!(files(folder.path()), before);
    write(&journal, 2..3);
    journal.sync().unwrap();
    assert_eq!(keys(folder.path(), 0), [0, 1, 2]);
}

#[test]
fn i16_no_damage_to_a_journal_goes_unnoticed() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(folder.path(), 4);
    journal.rotate_at(0).unwrap();
    write(&journal, 4..7);
    journal.sync().unwrap();
    drop(journal);
    let whole = files(folder.path());
    let all: Vec<u64> = (0..7).collect();
    let check = |what: &str| match read(folder.path()) {
        Ok(history) => {
            assert_eq!(history.last.seq, 7, "{what}: commits are gone");
            assert_eq!(keys(folder.path(), 0), all, "{what}");
            false
        }
        Err(_) => true,
    };
    let restore = || {
        std::fs::remove_dir_all(folder.path()).unwrap();
        std::fs::create_dir(folder.path()).unwrap();
        whole.iter().for_each(|(path, bytes)| std::fs::write(path, bytes).unwrap());
    };
    let mut refused = 0;
    for (path, bytes) in &whole {
        let name = path.file_name().unwrap().to_str().unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            std::fs::write(path, damaged).unwrap();
            refused += u32::from(check(&format!("{name}: byte {at}")));
            std::fs::write(path, &bytes[..at]).unwrap();
            refused += u32::from(check(&format!("{name}: cut at {at}")));
        }
        std::fs::remove_file(path).unwrap();
        refused += u32::from(check(&format!("{name}: removed")));
        restore();
    }
    // A damaged mark is simply refused, so it needs no further check.
    assert!(refused as usize > whole.values().map(Vec::len).sum::<usize>());
    let paths: Vec<_> = whole.keys().collect();
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        std::fs::write(paths[one], &whole[paths[other]]).unwrap();
        std::fs::write(paths[other], &whole[paths[one]]).unwrap();
        assert!(check("swapped"));
        restore();
    }
}

#[test]
fn segments_go_once_a_second_export_holds_what_is_in_them() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(folder.path(), 4);
    journal.checkpointed(4);
    journal.exported(4).unwrap();
    write(&journal, 4..6);
    journal.sync().unwrap();
    assert_eq!(read(folder.path()).unwrap().first.seq, 0, "the first export may be lost");
    assert!(journal.bytes_after(journal.verified()) > 0);
    journal.checkpointed(6);
    journal.exported(6).unwrap();
    assert_eq!((read(folder.path()).unwrap().first.seq, journal.verified()), (4, 6));
    assert_eq!(journal.bytes_after(6), 0);
    write(&journal, 6..8);
    journal.sync().unwrap();
    journal.checkpointed(8);
    journal.exported(8).unwrap();
    let history = read(folder.path()).unwrap();
    assert_eq!((history.first.seq, history.last.seq), (6, 8));
    drop(journal);
    let journal = Journal::resume(folder.path(), &history, history.last.seq).unwrap();
    assert_eq!(journal.verified(), 8);
    std::fs::remove_file(&history.segments[0].path).unwrap();
    assert!(read(folder.path()).unwrap_err().contains("missing"), "a segment that is gone is missed");
}

#[test]
fn records_are_salvaged_around_damage() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(folder.path(), 4);
    let second = journal.last();
    journal.rotate_at(0).unwrap();
    write(&journal, 4..7);
    journal.sync().unwrap();
    drop(journal);
    let first = files(folder.path()).into_keys().find(|path| path.ends_with(format!("{:020}.journal", 0))).unwrap();
    let mut bytes = std::fs::read(&first).unwrap();
    bytes[segment::HEAD_BYTES + 20] ^= 1;
    std::fs::write(&first, bytes).unwrap();
    assert!(read(folder.path()).is_err());
    assert_eq!(last_trace(folder.path()).unwrap(), 7);
    let reach = |from| salvage(folder.path(), from, |_| Ok::<(), Broken>(())).unwrap().seq;
    assert_eq!(reach(Position::default()), 0, "the first record is damaged");
    assert_eq!(reach(second), 7);
}
