//! Writes a logical copy of the state while the service goes on, as it stood at one moment.
//!
//! The tables are read in order while commits go on, and the dirty set tracks which rows those touch. These are read again,
//! the last few of them while no commit runs, so that the copy is the state after one commit. Then the file is read back:
//! only a copy whose rows have the digest of that commit is an export, and lets the journal drop what lies before it.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::copy::{Head, Writer, verify};
use super::dirty::{Kept, Row};
use super::journal::Position;
use super::table::Tables;
use super::{StateError, Store, TREES};
use crate::clock::Millis;

/// Rows between looks at whether it can go on.
const LOOK_EVERY: u64 = 4096;
/// Rows touched meanwhile that are read while commits wait: a few milliseconds.
const FEW: usize = 1_000;
/// Goes over what was touched meanwhile before commits have to wait.
const ROUNDS: usize = 8;

/// A copy that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exported {
    /// When it was begun.
    pub at: Millis,
    /// Rows in it, those that were written twice included.
    pub rows: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// How long it took.
    pub took: Duration,
    /// How long commits waited for it.
    pub paused: Duration,
}

impl Store {
    /// Whether journal and exports make up the state without the database; else an export is due.
    ///
    /// # Errors
    /// [`StateError::Storage`].
    pub fn is_covered(&self) -> Result<bool, StateError> {
        self.shared.tables.journal(|journal| Ok(journal.is_covered()))
    }

    /// Bytes of the journal, and how many of them hold commits that are in no verified export.
    ///
    /// # Errors
    /// [`StateError::Storage`].
    pub fn journal_bytes(&self) -> Result<(u64, u64), StateError> {
        self.shared.tables.journal(|journal| Ok((journal.bytes(), journal.bytes_after(journal.verified()))))
    }

    /// Writes every row to the file `to`, which then holds the state as it was after one commit, readable by its owner alone.
    /// The file is read back and compared with the journal before it gets that name; then the journal drops the segments
    /// that neither this export nor the one before needs.
    ///
    /// # Errors
    /// [`StateError::Busy`] while another one is written, [`StateError::NoRoom`], [`StateError::Storage`],
    /// [`StateError::NoCopy`] where what was read back is not what was written.
    pub fn export(&self, to: &Path, now: Millis) -> Result<Exported, StateError> {
        let began = Instant::now();
        self.writable()?;
        let tables = &self.shared.tables;
        let kept = tables.dirty().keep()?;
        let partial = partial(to);
        let written = self.write(&kept, &partial, now).and_then(|written| {
            let position = verify(&partial)?;
            // What an export holds is on the disk in the journal before, or it would hold commits that nobody was told of.
            // And the database needs nothing of the segments that go.
            self.shared.committer.checkpoint()?;
            std::fs::rename(&partial, to).map_err(|e| StateError::Storage(e.to_string()))?;
            sync_folder_of(to)?;
            tables.journal(|journal| journal.exported(position.seq))?;
            Ok(written)
        });
        if written.is_err() {
            // Not there where it could not even be begun.
            let _ = std::fs::remove_file(&partial);
        }
        let (rows, bytes, paused) = written?;
        Ok(Exported { at: now, rows, bytes, took: began.elapsed(), paused })
    }

    fn write(&self, kept: &Kept<'_>, to: &Path, now: Millis) -> Result<(u64, u64, Duration), StateError> {
        let tables = &self.shared.tables;
        let head = Head {
            service: env!("CARGO_PKG_VERSION").into(),
            at: now,
            tables: TREES.iter().map(|&name| name.to_owned()).collect(),
        };
        let mut copy = Writer::new(private(to)?, &head)?;
        let mut rows = 0;
        for table in 0..TREES.len() {
            for row in tables.scan_raw(table) {
                let (key, row) = row?;
                copy.entry(table, &key, Some(&row))?;
                rows += 1;
                if rows % LOOK_EVERY == 0 {
                    self.writable()?;
                    kept.whole()?;
                }
            }
        }
        copy.scanned()?;
        for _ in 0..ROUNDS {
            let touched = kept.take();
            let few = touched.len() < FEW;
            for (table, key) in touched {
                copy.entry(table, &key, tables.raw(table, &key)?.as_deref())?;
                rows += 1;
            }
            if few {
                break;
            }
        }
        let (last, paused) = kept.alone(|touched| {
            let began = Instant::now();
            let rows = touched.into_iter().map(|row| as_it_stands(tables, row)).collect::<Result<Vec<_>, _>>()?;
            let position: Position = tables.journal(|journal| Ok(journal.last()))?;
            Ok(((rows, position), began.elapsed()))
        })?;
        let (last, position) = last;
        for ((table, key), row) in last {
            copy.entry(table, &key, row.as_deref())?;
            rows += 1;
        }
        Ok((rows, copy.finish(&position)?, paused))
    }
}

fn as_it_stands(tables: &Tables, (table, key): Row) -> Result<(Row, Option<sled::IVec>), StateError> {
    let row = tables.raw(table, &key)?;
    Ok(((table, key), row))
}

/// Where a copy stands until it is whole.
fn partial(to: &Path) -> PathBuf {
    let mut name = to.as_os_str().to_owned();
    name.push(PARTIAL);
    name.into()
}

/// What the name of a copy ends with that is not whole.
pub const PARTIAL: &str = ".partial";

/// A file for its owner alone: whoever has it can sign URLs.
fn private(path: &Path) -> Result<File, StateError> {
    // One that a process left behind when it was killed may be anybody's to read.
    let _ = std::fs::remove_file(path);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|e| StateError::Storage(format!("{}: {e}", path.display())))
}

/// Makes a name that was given within the folder of `path` outlive a power cut.
pub(super) fn sync_folder_of(path: &Path) -> Result<(), StateError> {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder).and_then(|f| f.sync_all()).map_err(|e| StateError::Storage(e.to_string()))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}
