//! The commit journal: every change of the state in the order of commits, in files that are only ever appended to.
//!
//! The database answers questions; the journal is what a commit rests on. A commit's record is written before the database
//! is changed, and is on the disk before anybody is told of the commit. Records are numbered, name the hash of the record
//! before, and hold the digest of all rows after the commit, so that a start can tell whether the database holds exactly
//! what was committed, and bring it up to date or refuse to serve it: `state/opening.rs`.

mod digest;
mod history;
mod mark;
mod record;
mod segment;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(super) use digest::{Digest, Position};
pub(super) use history::{Broken, History, begins_empty, knows, last_trace, salvage};
pub(super) use record::{Change, Record};
pub(super) use segment::is_one;

use super::StateError;
use crate::clock::Millis;
use mark::{Mark, MarkFile};

/// Size at which the journal goes on in another segment, in bytes.
const SEGMENT_BYTES: u64 = 16 << 20;

/// A journal that is open to be written.
#[derive(Debug)]
pub(super) struct Journal {
    folder: PathBuf,
    writer: Mutex<Writer>,
    mark: Mutex<MarkFile>,
    /// Whether the first segment follows a state without any row, so that the journal alone makes up the state.
    whole: bool,
    /// The last commit that the database has on the disk.
    checkpointed: AtomicU64,
    /// Set once a write or a flush failed: what the files hold is known again when they are read again.
    failed: AtomicBool,
}

/// The end of the journal, where commits are written one after the other.
#[derive(Debug)]
pub(super) struct Writer {
    file: Arc<File>,
    base: Position,
    /// Where the next record goes, in bytes.
    end: u64,
    last: Position,
    /// A record that was written and whose commit isn't decided yet: where it ends, and its position.
    staged: Option<(u64, Position)>,
    /// Bytes of segments that aren't written any more, with the commit that each ends with.
    closed: Vec<(u64, u64)>,
}

impl Journal {
    /// Begins a journal in `folder`, which has none, behind the commit `base`.
    ///
    /// # Errors
    /// Those of the disk.
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

    /// Goes on with the journal in `folder`, which `history` was read from, where the database has commit `checkpointed` on the
    /// disk. What a killed process left unfinished at its end is cut off.
    ///
    /// # Errors
    /// Those of the disk.
    pub(super) fn resume(folder: &Path, history: &History, checkpointed: u64) -> io::Result<Self> {
        let end = history.segments.last().ok_or_else(|| io::Error::other("a journal has at least one segment"))?;
        let file = File::options().read(true).write(true).open(&end.path)?;
        if history.torn > 0 {
            tracing::warn!(
                bytes = history.torn,
                "the journal ends with a commit that was cut off before it was acknowledged"
            );
            file.set_len(end.bytes)?;
        }
        // What a killed process wrote may be in the memory of the system alone; from here on it is relied on.
        file.sync_all()?;
        if history.mark.is_none() {
            tracing::warn!("the mark of the journal was missing or damaged, and is written anew");
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

    /// The end of the journal, for one commit at a time.
    ///
    /// # Errors
    /// [`StateError::Storage`] once a write failed.
    pub(super) fn writer(&self) -> Result<MutexGuard<'_, Writer>, StateError> {
        let writer = self.locked();
        if writer.staged.is_some() {
            // Of a commit that panicked: whether the database has it is unknown.
            self.fail();
        }
        self.fault().map(|()| writer)
    }

    fn locked(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why nothing can be committed any more, if so.
    ///
    /// # Errors
    /// [`StateError::Storage`].
    pub(super) fn fault(&self) -> Result<(), StateError> {
        match self.failed.load(Ordering::SeqCst) {
            true => Err(StateError::Storage("the journal could not be written".into())),
            false => Ok(()),
        }
    }

    /// Takes no further commit: the database may lack the last one.
    pub(super) fn fail(&self) {
        self.failed.store(true, Ordering::SeqCst);
    }

    /// The last commit.
    pub(super) fn last(&self) -> Position {
        self.locked().last
    }

    /// Puts every commit on the disk that was made before the call. One thread at a time calls it.
    ///
    /// # Errors
    /// [`StateError::Storage`]. The journal then takes no further commit: what the disk holds is unknown.
    pub(super) fn sync(&self) -> Result<(), StateError> {
        self.fault()?;
        let (file, last) = {
            let writer = self.locked();
            (Arc::clone(&writer.file), writer.last)
        };
        let mut mark = self.marked();
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
            tracing::warn!(%error, "the journal goes on in a long segment");
        }
        Ok(())
    }

    fn marked(&self) -> MutexGuard<'_, MarkFile> {
        self.mark.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on in another segment where this one has so many bytes.
    fn rotate_at(&self, bytes: u64) -> io::Result<()> {
        let mut writer = self.locked();
        if writer.end < bytes || writer.last == writer.base {
            return Ok(());
        }
        // A segment that is followed by another is never cut short.
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

    /// Bytes of all segments.
    pub(super) fn bytes(&self) -> u64 {
        let writer = self.locked();
        writer.end + writer.closed.iter().map(|(_, bytes)| bytes).sum::<u64>()
    }

    /// Bytes of the segments that hold commits after `seq`.
    pub(super) fn bytes_after(&self, seq: u64) -> u64 {
        let writer = self.locked();
        let closed = writer.closed.iter().filter(|(last, _)| *last > seq).map(|(_, bytes)| bytes).sum::<u64>();
        closed + if writer.last.seq > seq { writer.end } else { 0 }
    }

    /// The last commit in the newest verified export; 0 if there was none.
    pub(super) fn verified(&self) -> u64 {
        self.marked().mark().verified
    }

    /// Notes that the database has every commit up to `seq` on the disk.
    pub(super) fn checkpointed(&self, seq: u64) {
        self.checkpointed.store(seq, Ordering::SeqCst);
    }

    /// Whether journal and exports make up the state without the database.
    pub(super) fn is_covered(&self) -> bool {
        let Mark { first, verified, .. } = self.marked().mark();
        (self.whole && first == 0) || (verified > 0 && verified >= first)
    }

    /// Notes that a verified export holds the state after commit `seq`, and removes the segments that end before the verified
    /// export before that one: where the newest export is lost, the one before and the journal still make up the state. What
    /// the database lacks on the disk stays.
    ///
    /// # Errors
    /// [`StateError::Storage`].
    pub(super) fn exported(&self, seq: u64) -> Result<(), StateError> {
        let failed = |e: io::Error| StateError::Storage(format!("the journal can't be compacted: {e}"));
        self.rotate_at(0).map_err(failed)?;
        let keep_after = {
            let mut mark = self.marked();
            let Mark { verified, first, acknowledged } = mark.mark();
            let bases = segment::list(&self.folder).map_err(failed)?;
            // The last segment that begins at or before the export: everything after the export is in it or behind it.
            let needed = verified.min(self.checkpointed.load(Ordering::SeqCst));
            let first = bases.iter().map(|(base, _)| *base).filter(|base| *base <= needed).max().unwrap_or(first);
            mark.set(Mark { acknowledged, first, verified: seq }).map_err(failed)?;
            // On the disk before a segment goes, so that one that is gone is never missed.
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
        self.locked().closed.retain(|(last, _)| *last > first);
        Ok(())
    }
}

impl Writer {
    /// Writes the record of a commit, which becomes the last one with [`Writer::commit`] only.
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
            // Half a record at the end is cut off by the next start, and written over by the next commit.
            let _ = self.file.set_len(self.end);
            return Err(StateError::Storage(format!("the journal can't be written: {e}")));
        }
        self.staged = Some((self.end + bytes.len() as u64, position));
        Ok(position)
    }

    /// Digest of all rows after the last commit.
    pub(super) fn digest(&self) -> Digest {
        self.last.digest
    }

    /// Makes the staged record the last one, if there is one.
    pub(super) fn commit(&mut self) {
        if let Some((end, position)) = self.staged.take() {
            (self.end, self.last) = (end, position);
        }
    }

    /// Whether a record is staged.
    pub(super) fn is_staged(&self) -> bool {
        self.staged.is_some()
    }

    /// Takes the staged record back.
    pub(super) fn discard(&mut self) {
        if self.staged.take().is_some() {
            // The next record is written over it where this fails.
            let _ = self.file.set_len(self.end);
        }
    }
}

/// Writes all of `bytes` at `offset`.
fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::write_all_at(file, bytes, offset);
    #[cfg(not(unix))]
    {
        use std::io::{Seek, SeekFrom, Write};
        let mut file = file;
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(bytes)
    }
}

/// Makes the names in a folder outlive a power cut.
fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

#[cfg(test)]
mod tests;
