//! The commit journal: every change of the state, in commit order, in append-only files.
//!
//! The database answers queries; the journal makes commits durable. A commit writes its record before it changes the
//! database, and flushes the record before it answers its caller. Records are numbered, contain the hash of the record
//! before, and contain the digest of all rows after the commit. So a start can tell whether the database holds exactly
//! what was committed, and either bring it up to date or refuse to serve it: see `state/database/opening.rs`.

mod digest;
mod files;
mod history;
mod mark;
mod record;
mod segment;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::{Mutex, MutexGuard};

pub(super) use digest::{Digest, Position};
pub(super) use history::{Broken, History, begins_empty, knows, last_trace, salvage};
pub(super) use record::{Change, Record};
pub(super) use segment::is_one;

use crate::clock::Millis;
use crate::state::error::StateError;
use files::{sync_folder, write_at};
use mark::{Mark, MarkFile};

/// Size in bytes at which the journal starts a new segment.
const SEGMENT_BYTES: u64 = 16 << 20;

/// A journal that is open for writing.
#[derive(Debug)]
pub(super) struct Journal {
    folder: PathBuf,
    writer: Mutex<Writer>,
    mark: Mutex<MarkFile>,
    /// Whether the first segment starts from an empty state, so that the journal alone reproduces the state.
    whole: bool,
    /// The last commit that the database has flushed.
    checkpointed: AtomicU64,
    /// Set once a write or a flush failed. The contents of the files are unknown until the next start reads them again.
    failed: AtomicBool,
}

/// The end of the journal, where commits are appended one at a time.
#[derive(Debug)]
pub(super) struct Writer {
    file: Arc<File>,
    base: Position,
    /// Byte offset of the next record.
    end: u64,
    last: Position,
    /// A written record whose commit isn't decided yet: the offset of its end, and its position.
    staged: Option<(u64, Position)>,
    /// Last commit and size in bytes of each segment that is no longer written.
    closed: Vec<(u64, u64)>,
}

impl Journal {
    /// Creates a journal in `folder`, which has none, that starts after the commit `base`.
    ///
    /// # Errors
    /// Returns the errors of the disk.
    pub(super) fn begin(folder: &Path, base: Position) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let file = segment::create(folder, &base)?;
        let mark = Mark { acknowledged: base, first: base.seq, verified: 0 };
        let mark = MarkFile::open(folder, mark)?;
        sync_folder(folder)?;
        if let Some(parent) = folder.parent() {
            sync_folder(parent)?;
        }
        let writer = Writer {
            file: Arc::new(file),
            base,
            end: segment::HEAD_BYTES as u64,
            last: base,
            staged: None,
            closed: Vec::new(),
        };
        Ok(Self::of(folder, writer, mark, base == Position::default(), base.seq))
    }

    /// Resumes the journal in `folder`, which `history` was read from, with `checkpointed` as the last commit that the
    /// database has flushed. Truncates a record that a killed process left incomplete at the end.
    ///
    /// # Errors
    /// Returns the errors of the disk.
    pub(super) fn resume(folder: &Path, history: &History, checkpointed: u64) -> io::Result<Self> {
        let end = history.segments.last().ok_or_else(|| io::Error::other("a journal has at least one segment"))?;
        let file = File::options().read(true).write(true).open(&end.path)?;
        if history.torn > 0 {
            tracing::warn!(
                bytes = history.torn,
                "journal truncated: it ended with an incomplete commit that was never acknowledged"
            );
            file.set_len(end.bytes)?;
        }
        // What a killed process wrote may still be only in the page cache. From here on it counts as durable.
        file.sync_all()?;
        if history.mark.is_none() {
            tracing::warn!("journal mark rewritten: it was missing or damaged");
        }
        let verified = history.mark.map_or(0, |mark| mark.verified);
        let first = history.mark.map_or(history.first.seq, |mark| mark.first);
        let mark = MarkFile::open(folder, Mark { acknowledged: history.last, first, verified })?;
        let before = history.segments.len() - 1;
        let writer = Writer {
            file: Arc::new(file),
            base: end.base,
            end: end.bytes,
            last: history.last,
            staged: None,
            closed: history.segments[..before].iter().map(|part| (part.last.seq, part.bytes)).collect(),
        };
        let journal = Self::of(folder, writer, mark, history.first == Position::default(), checkpointed);
        journal.remove_before(first)?;
        Ok(journal)
    }

    fn of(folder: &Path, writer: Writer, mark: MarkFile, whole: bool, checkpointed: u64) -> Self {
        Self {
            folder: folder.to_owned(),
            whole,
            checkpointed: AtomicU64::new(checkpointed),
            writer: Mutex::new(writer),
            mark: Mutex::new(mark),
            failed: AtomicBool::new(false),
        }
    }

    /// Locks the end of the journal for one commit.
    ///
    /// # Errors
    /// [`StateError::Storage`] once a write failed.
    pub(super) fn writer(&self) -> Result<MutexGuard<'_, Writer>, StateError> {
        let writer = self.writer.lock();
        if writer.staged.is_some() {
            // A commit panicked. Whether the database has it is unknown.
            self.fail();
        }
        self.fault().map(|()| writer)
    }

    /// Checks whether the journal accepts commits.
    ///
    /// # Errors
    /// [`StateError::Storage`] after a failed write or flush.
    pub(super) fn fault(&self) -> Result<(), StateError> {
        match self.failed.load(Ordering::SeqCst) {
            true => Err(StateError::Storage("the journal could not be written".into())),
            false => Ok(()),
        }
    }

    /// Refuses all further commits: the database may lack the last one.
    pub(super) fn fail(&self) {
        self.failed.store(true, Ordering::SeqCst);
    }

    /// Returns the position of the last commit.
    pub(super) fn last(&self) -> Position {
        self.writer.lock().last
    }

    /// Flushes every commit made before the call. Only one thread at a time may call it.
    ///
    /// # Errors
    /// [`StateError::Storage`]. The journal then refuses all further commits, because what the disk holds is unknown.
    pub(super) fn sync(&self) -> Result<(), StateError> {
        self.fault()?;
        let (file, last) = {
            let writer = self.writer.lock();
            (Arc::clone(&writer.file), writer.last)
        };
        let mut mark = self.mark.lock();
        if mark.mark().acknowledged == last {
            return Ok(());
        }
        let synced = file.sync_data().and_then(|()| {
            let said = Mark { acknowledged: last, ..mark.mark() };
            mark.set(said)
        });
        drop(mark);
        synced.map_err(|e| {
            self.fail();
            StateError::Storage(format!("the journal can't be flushed: {e}"))
        })?;
        if let Err(error) = self.rotate_at(SEGMENT_BYTES) {
            tracing::warn!(%error, "journal segment not rotated: it grows past its size");
        }
        Ok(())
    }

    /// Starts a new segment if the current one has at least `bytes` bytes.
    fn rotate_at(&self, bytes: u64) -> io::Result<()> {
        let mut writer = self.writer.lock();
        if writer.end < bytes || writer.last == writer.base {
            return Ok(());
        }
        // Flush first: readers treat a truncated record as damage in any segment but the last.
        if let Err(e) = writer.file.sync_data() {
            self.fail();
            return Err(e);
        }
        let file = segment::create(&self.folder, &writer.last)?;
        let closed = (writer.last.seq, writer.end);
        writer.closed.push(closed);
        writer.file = Arc::new(file);
        writer.base = writer.last;
        writer.end = segment::HEAD_BYTES as u64;
        Ok(())
    }

    /// Returns the size of all segments in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let writer = self.writer.lock();
        writer.end + writer.closed.iter().map(|(_, bytes)| bytes).sum::<u64>()
    }

    /// Returns the size in bytes of the segments that hold commits after `seq`.
    pub(super) fn bytes_after(&self, seq: u64) -> u64 {
        let writer = self.writer.lock();
        let closed = writer.closed.iter().filter(|(last, _)| *last > seq).map(|(_, bytes)| bytes).sum::<u64>();
        closed + if writer.last.seq > seq { writer.end } else { 0 }
    }

    /// Returns the last commit in the newest verified export, or 0 if there is none.
    pub(super) fn verified(&self) -> u64 {
        self.mark.lock().mark().verified
    }

    /// Records that the database has flushed every commit up to `seq`.
    pub(super) fn checkpointed(&self, seq: u64) {
        self.checkpointed.store(seq, Ordering::SeqCst);
    }

    /// Returns whether the journal and the exports reproduce the state without the database.
    pub(super) fn is_covered(&self) -> bool {
        let Mark { first, verified, .. } = self.mark.lock().mark();
        (self.whole && first == 0) || (verified > 0 && verified >= first)
    }

    /// Records that a verified export holds the state after commit `seq`, and removes the segments that end before the
    /// previous verified export. So if the newest export is lost, the previous one and the journal still reproduce the
    /// state. Segments with commits that the database hasn't flushed are kept.
    ///
    /// # Errors
    /// [`StateError::Storage`].
    pub(super) fn exported(&self, seq: u64) -> Result<(), StateError> {
        let failed = |e: io::Error| StateError::Storage(format!("the journal can't be compacted: {e}"));
        self.rotate_at(0).map_err(failed)?;
        let keep_after = {
            let mut mark = self.mark.lock();
            let Mark { verified, first, acknowledged } = mark.mark();
            let bases = segment::list(&self.folder).map_err(failed)?;
            // The last segment that starts at or before the export: it and the segments after it hold everything after
            // the export.
            let needed = verified.min(self.checkpointed.load(Ordering::SeqCst));
            let first = bases.iter().map(|(base, _)| *base).filter(|base| *base <= needed).max().unwrap_or(first);
            mark.set(Mark { acknowledged, first, verified: seq }).map_err(failed)?;
            // Flush the mark before removing segments, so that a removed segment is never reported missing.
            mark.sync().map_err(failed)?;
            first
        };
        self.remove_before(keep_after).map_err(failed)
    }

    /// Removes the segments that begin before commit `first`.
    fn remove_before(&self, first: u64) -> io::Result<()> {
        for (_, path) in segment::list(&self.folder)?.into_iter().filter(|(base, _)| *base < first) {
            std::fs::remove_file(path)?;
        }
        self.writer.lock().closed.retain(|(last, _)| *last > first);
        Ok(())
    }
}

impl Writer {
    /// Writes the record of a commit. [`Writer::commit`] then makes it the last commit.
    ///
    /// # Errors
    /// [`StateError::Storage`], [`StateError::CommitTooLarge`].
    pub(super) fn stage<'a>(
        &mut self,
        digest: Digest,
        changes: impl ExactSizeIterator<Item = Change<'a>>,
    ) -> Result<Position, StateError> {
        let rows = changes.len();
        let encoded = record::encode(&self.last, digest, Millis::now(), changes);
        let (bytes, position) = encoded.ok_or(StateError::CommitTooLarge(rows))?;
        if let Err(e) = write_at(&self.file, &bytes, self.end) {
            // The next start truncates a partial record at the end, and the next commit overwrites it.
            let _ = self.file.set_len(self.end);
            return Err(StateError::Storage(format!("the journal can't be written: {e}")));
        }
        self.staged = Some((self.end + bytes.len() as u64, position));
        Ok(position)
    }

    /// Returns the digest of all rows after the last commit.
    pub(super) fn digest(&self) -> Digest {
        self.last.digest
    }

    /// Makes the staged record, if any, the last commit.
    pub(super) fn commit(&mut self) {
        if let Some((end, position)) = self.staged.take() {
            (self.end, self.last) = (end, position);
        }
    }

    /// Returns whether a record is staged.
    pub(super) fn is_staged(&self) -> bool {
        self.staged.is_some()
    }

    /// Discards the staged record.
    pub(super) fn discard(&mut self) {
        if self.staged.take().is_some() {
            // If this fails, the next record overwrites the discarded one.
            let _ = self.file.set_len(self.end);
        }
    }
}

#[cfg(test)]
mod tests;
