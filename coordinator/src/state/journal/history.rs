//! Reads a journal before it is opened for writing: checks that it is complete, and looks up a point in its history.

use std::io;
use std::path::{Path, PathBuf};

use super::digest::Position;
use super::mark::{self, Mark};
use super::record::Record;
use super::segment::{self, Segment};

/// A journal that was read and is complete: it holds every record from the first segment's base to the last commit,
/// each record follows the one before, and no acknowledged commit is missing.
#[derive(Debug)]
pub(in crate::state) struct History {
    /// The position where the first segment starts.
    pub(in crate::state) first: Position,
    /// The last commit.
    pub(in crate::state) last: Position,
    /// The position of the requested commit; `None` if the journal doesn't hold it.
    pub(in crate::state) asked: Option<Position>,
    pub(super) mark: Option<Mark>,
    pub(super) segments: Vec<Part>,
    /// Bytes after the last record, left incomplete by a process that was killed.
    pub(super) torn: u64,
}

/// A segment of a complete journal.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) path: PathBuf,
    pub(super) base: Position,
    pub(super) last: Position,
    /// Offset in bytes of the end of its last record.
    pub(super) bytes: u64,
}

/// Why a journal can't be read.
#[derive(Debug, thiserror::Error)]
pub(in crate::state) enum Broken {
    /// The disk failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The journal is damaged.
    #[error("{0}")]
    Damaged(String),
}

impl History {
    /// Reads the journal in `folder` and looks up the position of commit `asked`. Returns `None` if there is no
    /// journal: no mark and no segment.
    ///
    /// # Errors
    /// [`Broken`].
    pub(in crate::state) fn read(folder: &Path, asked: u64) -> Result<Option<Self>, Broken> {
        let files = match segment::list(folder) {
            Ok(files) => files,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(e.into()),
        };
        let mark = Mark::read(folder);
        let Some((_, first)) = files.first() else {
            return match folder.join(mark::NAME).exists() {
                true => Err(Broken::Damaged("its segments are missing".into())),
                false => Ok(None),
            };
        };
        let damaged = |path: &Path, why: &str| Broken::Damaged(format!("{}: {why}", path.display()));
        let mut last: Option<Position> = None;
        let mut found = None;
        let (mut parts, mut torn) = (Vec::with_capacity(files.len()), 0);
        for (number, path) in &files {
            let segment = Segment::read(path)?;
            let base = segment.base().ok_or_else(|| damaged(path, "its head is damaged"))?;
            if base.seq != *number || last.is_some_and(|last| last != base) {
                return Err(damaged(path, "it doesn't follow the segment before it"));
            }
            found = found.or((base.seq == asked).then_some(base));
            let mut records = segment.records();
            for record in records.by_ref() {
                found = found.or((record.position.seq == asked).then_some(record.position));
            }
            torn = (segment.len() - records.end()) as u64;
            if let Some(why) =
                records.fault().filter(|_| is_not_last(path, &files) || !ends_well(&segment, &records, mark))
            {
                return Err(damaged(path, &format!("the record at byte {} is damaged: {why}", records.end())));
            }
            parts.push(Part { path: path.clone(), base, last: records.position(), bytes: records.end() as u64 });
            last = Some(records.position());
        }
        let last = last.ok_or_else(|| damaged(first, "it can't be read"))?;
        if let Some(mark) = mark {
            if parts[0].base.seq > mark.first {
                return Err(damaged(folder, &format!("the segment that follows commit {} is missing", mark.first)));
            }
            if mark.acknowledged.seq > last.seq {
                let why =
                    format!("it ends with commit {}, and commit {} was acknowledged", last.seq, mark.acknowledged.seq);
                return Err(damaged(folder, &why));
            }
        }
        Ok(Some(Self { first: parts[0].base, last, asked: found, mark, segments: parts, torn }))
    }

    /// Returns whether there is a mark. A mark guarantees that every acknowledged commit is here.
    pub(in crate::state) fn has_mark(&self) -> bool {
        self.mark.is_some()
    }

    /// Passes the records after commit `after` to `apply`, in order.
    ///
    /// # Errors
    /// [`Broken`] converted to `E`, and the errors of `apply`.
    pub(in crate::state) fn replay<E: From<Broken>>(
        &self,
        after: u64,
        mut apply: impl FnMut(&Record<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for part in self.segments.iter().filter(|part| part.last.seq > after) {
            let segment = Segment::read(&part.path).map_err(Broken::from)?;
            for record in segment.records().filter(|record| record.position.seq > after) {
                apply(&record)?;
            }
        }
        Ok(())
    }
}

fn is_not_last(path: &Path, files: &[(u64, PathBuf)]) -> bool {
    files.last().is_some_and(|(_, last)| last != path)
}

/// Returns whether the bytes after the last record may be the incomplete record of a commit during which the process
/// was killed. Such a commit was never acknowledged, and no record was written after it.
fn ends_well(segment: &Segment, records: &segment::Records<'_>, mark: Option<Mark>) -> bool {
    let acknowledged = mark.is_some_and(|mark| mark.acknowledged.seq <= records.position().seq);
    acknowledged && segment.salvage().all(|record| record.position.seq <= records.position().seq)
}

/// Returns the last commit of which the journal in `folder` has any trace, however damaged the journal is. It looks at
/// the mark, the headers of segments, and every readable record.
///
/// # Errors
/// Returns the errors of the disk.
pub(in crate::state) fn last_trace(folder: &Path) -> io::Result<u64> {
    let mut last = Mark::read(folder).map_or(0, |mark| mark.acknowledged.seq.max(mark.verified));
    for segment in readable(files(folder)?) {
        let records = segment.salvage().map(|record| record.position.seq).max();
        let base = segment.base().map(|base| base.seq);
        last = last.max(records.unwrap_or(0)).max(base.unwrap_or(0));
    }
    Ok(last)
}

/// Returns all files in a journal's folder, whatever their names: a segment may have been renamed.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let files = match std::fs::read_dir(folder) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        files => files?,
    };
    let mut files = files.map(|file| Ok(file?.path())).collect::<io::Result<Vec<_>>>()?;
    files.retain(|path| path.is_file());
    files.sort();
    Ok(files)
}

/// Returns whether the journal in `folder` starts from an empty state.
///
/// # Errors
/// Returns the errors of the disk.
pub(in crate::state) fn begins_empty(folder: &Path) -> io::Result<bool> {
    Ok(readable(files(folder)?).any(|segment| segment.base() == Some(Position::default())))
}

/// Returns whether a commit belongs to the history of the journal in `folder`. `None` if nothing in the journal is
/// readable.
///
/// # Errors
/// Returns the errors of the disk.
pub(in crate::state) fn knows(folder: &Path, position: &Position) -> io::Result<Option<bool>> {
    let mut any = false;
    for segment in readable(files(folder)?) {
        any |= segment.base().is_some();
        if segment.base() == Some(*position) {
            return Ok(Some(true));
        }
        for record in segment.salvage() {
            any = true;
            if record.position == *position || (record.previous == position.hash && position.seq > 0) {
                return Ok(Some(true));
            }
        }
    }
    Ok(any.then_some(false))
}

/// Reads the files and skips those that the disk fails to read.
fn readable(files: Vec<PathBuf>) -> impl Iterator<Item = Segment> {
    files.into_iter().filter_map(|path| {
        let read = Segment::read(&path);
        read.inspect_err(|error| tracing::warn!(%error, path = %path.display(), "journal file skipped")).ok()
    })
}

/// Passes every readable record in `folder` that follows `from` without a gap to `apply`, in order, whichever segments
/// are damaged. Returns the position that it reached.
///
/// # Errors
/// [`Broken`] converted to `E`, and the errors of `apply`.
pub(in crate::state) fn salvage<E: From<Broken>>(
    folder: &Path,
    from: Position,
    mut apply: impl FnMut(&Record<'_>) -> Result<(), E>,
) -> Result<Position, E> {
    let mut last = from;
    let files = files(folder).map_err(Broken::from)?;
    loop {
        let before = last;
        // Segments may have swapped names. A further pass then finds the records that this pass reached too early.
        for segment in readable(files.clone()) {
            for record in segment.salvage() {
                if record.previous == last.hash && record.position.seq == last.seq + 1 {
                    apply(&record)?;
                    last = record.position;
                }
            }
        }
        if last == before {
            return Ok(last);
        }
    }
}
