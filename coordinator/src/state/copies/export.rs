//! Exports: writes a consistent logical copy of the state while the service keeps running.
//!
//! The export reads the tables in order while commits continue, and the dirty set tracks the rows that those commits
//! touch. It rereads these rows, the last few of them while commits are paused, so that the copy is the state after
//! exactly one commit. Then it reads the file back. The copy counts as an export only if its rows have the digest of
//! that commit. Only then may the journal drop older segments.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::clock::Millis;
use crate::state::copies::copy::{Head, Writer, verify};
use crate::state::database::dirty::{Kept, Row};
use crate::state::database::tables::Tables;
use crate::state::error::StateError;
use crate::state::journal::Position;
use crate::state::rows::schema::TREES;
use crate::state::store::Store;

/// Rows between checks of whether the export can continue.
const LOOK_EVERY: u64 = 4096;
/// Number of touched rows that may be read while commits are paused: a few milliseconds.
const FEW: usize = 1_000;
/// Maximum number of passes over touched rows before commits are paused.
const ROUNDS: usize = 8;

/// A completed export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exported {
    /// When it was started.
    pub at: Millis,
    /// Number of rows written, counting rows written twice.
    pub rows: u64,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// How long it took.
    pub took: Duration,
    /// How long commits were paused.
    pub paused: Duration,
}

impl Store {
    /// Returns whether the journal and the exports reproduce the state without the database. If not, an export is due.
    ///
    /// # Errors
    /// [`StateError::Storage`].
    pub fn is_covered(&self) -> Result<bool, StateError> {
        self.shared.tables.journal(|journal| Ok(journal.is_covered()))
    }

    /// Returns the size of the journal in bytes, and how many of them hold commits that are in no verified export.
    ///
    /// # Errors
    /// [`StateError::Storage`].
    pub fn journal_bytes(&self) -> Result<(u64, u64), StateError> {
        self.shared.tables.journal(|journal| Ok((journal.bytes(), journal.bytes_after(journal.verified()))))
    }

    /// Writes every row to the file `to`, which then holds the state after one commit and is readable only by its
    /// owner. The file is read back and compared with the journal before it gets that name. Then the journal drops the
    /// segments that neither this export nor the previous one needs.
    ///
    /// # Errors
    /// [`StateError::Busy`] while another export runs, [`StateError::NoRoom`], [`StateError::Storage`],
    /// [`StateError::NoCopy`] if the file read back differs from what was written.
    pub fn export(&self, to: &Path, now: Millis) -> Result<Exported, StateError> {
        let began = Instant::now();
        self.writable()?;
        let tables = &self.shared.tables;
        let kept = tables.dirty().keep()?;
        let partial = partial(to);
        let written = self.write(&kept, &partial, now).and_then(|written| {
            let position = verify(&partial)?;
            // Flush the journal first: an export must not hold commits that were never acknowledged. Flush the database
            // too, because it must not depend on the segments that are dropped.
            self.shared.committer.checkpoint()?;
            std::fs::rename(&partial, to).map_err(|e| StateError::Storage(e.to_string()))?;
            sync_folder_of(to)?;
            tables.journal(|journal| journal.exported(position.seq))?;
            Ok(written)
        });
        if written.is_err() {
            // This fails if the file could not be created.
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

/// Returns the name of a copy until it is complete.
fn partial(to: &Path) -> PathBuf {
    let mut name = to.as_os_str().to_owned();
    name.push(PARTIAL);
    name.into()
}

/// Suffix of an incomplete copy's name.
pub const PARTIAL: &str = ".partial";

/// Creates a file that only its owner can read, because a copy contains the secret that signs URLs.
fn private(path: &Path) -> Result<File, StateError> {
    // A file left by a killed process may be readable by others, so don't reuse it.
    let _ = std::fs::remove_file(path);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|e| StateError::Storage(format!("{}: {e}", path.display())))
}

/// Flushes the folder that contains `path`, so that a new name in it survives a power failure.
pub(in crate::state) fn sync_folder_of(path: &Path) -> Result<(), StateError> {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder).and_then(|f| f.sync_all()).map_err(|e| StateError::Storage(e.to_string()))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}
