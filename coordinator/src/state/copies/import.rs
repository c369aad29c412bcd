//! Imports a logical copy as a new state.

use std::path::Path;

use fleet::room::Room;
use uuid::Uuid;

use crate::accounts::MonthlyCredits;
use crate::clock::Millis;
use crate::state::copies::copy::Reader;
use crate::state::copies::export::sync_folder_of;
use crate::state::database::opening::Database;
use crate::state::error::StateError;
use crate::state::journal::{Journal, Position};
use crate::state::open::import_mark;
use crate::state::rows::schema::{READERS, TREES};
use crate::state::store::Store;

/// Rows inserted per batch.
const BATCH: usize = 1_000;

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// Version of the service that wrote the copy.
    pub service: String,
    /// When it was written.
    pub at: Millis,
    /// Number of entries in the copy.
    pub entries: u64,
    /// Accounts whose balance differs from the sum of their ledger. They already differed when the copy was written.
    pub unbalanced: Vec<Uuid>,
}

/// Creates a state in `folder` from the copy in `file`. The whole file is checked first; if anything is wrong, nothing
/// is created. If the process is interrupted later, [`Store::open`] refuses the folder, and this function imports into
/// it again.
///
/// # Errors
/// [`StateError::NotEmpty`] if a state exists already; [`StateError::NoCopy`] if the file is not a copy, is damaged, or
/// holds rows that this version can't read; [`StateError::Storage`].
pub fn import(folder: &Path, file: &Path) -> Result<Imported, StateError> {
    let cut_off = import_mark(folder);
    if !cut_off.exists() && !is_empty(folder)? {
        return Err(StateError::NotEmpty(folder.display().to_string()));
    }
    let places = check(file)?;
    let io = |e: std::io::Error| StateError::Storage(format!("{}: {e}", folder.display()));
    if let Some(parent) = folder.parent() {
        std::fs::create_dir_all(parent).map_err(io)?;
    }
    std::fs::write(&cut_off, b"").map_err(io)?;
    sync_folder_of(&cut_off)?;
    let made = remove(folder).and_then(|()| make(folder, file, &places));
    if made.is_err() {
        // If this fails, the mark makes [`Store::open`] refuse what is left.
        remove(folder)?;
    }
    std::fs::remove_file(&cut_off).map_err(io)?;
    sync_folder_of(&cut_off)?;
    made
}

fn is_empty(folder: &Path) -> Result<bool, StateError> {
    match std::fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(e) => Err(StateError::Storage(format!("{}: {e}", folder.display()))),
    }
}

fn remove(folder: &Path) -> Result<(), StateError> {
    match std::fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(StateError::Storage(format!("{} can't be removed: {e}", folder.display())))
        }
        _ => Ok(()),
    }
}

/// Reads the whole file and decodes every row. Returns the index here of each table in the file's head.
pub(in crate::state) fn check(file: &Path) -> Result<Vec<usize>, StateError> {
    let mut copy = Reader::open(file)?;
    let place = |name: &String| {
        let unknown = || StateError::NoCopy(format!("it has a table {name:?}, which this version does not know"));
        TREES.iter().position(|known| known == name).ok_or_else(unknown)
    };
    let places: Vec<usize> = copy.head().tables.iter().map(place).collect::<Result<_, _>>()?;
    while let Some(entry) = copy.next()? {
        let Some(row) = entry.row else { continue };
        let table = places[entry.table];
        READERS[table](&row).map_err(|e| {
            StateError::NoCopy(format!("row {} of {} can't be read: {e}", hex::encode(&entry.key), TREES[table]))
        })?;
    }
    Ok(places)
}

fn make(folder: &Path, file: &Path, places: &[usize]) -> Result<Imported, StateError> {
    let (database, journal, mut imported) = load(folder, file, places)?;
    drop((database, journal));
    imported.unbalanced = Store::open_whole(folder, MonthlyCredits::default(), Room::of(folder, 0))?.unbalanced()?;
    Ok(imported)
}

/// Inserts the rows of a copy into a new database in `folder`, and starts a journal at the copy's commit.
pub(in crate::state) fn load(
    folder: &Path,
    file: &Path,
    places: &[usize],
) -> Result<(Database, Journal, Imported), StateError> {
    let mut copy = Reader::open(file)?;
    let database = Database::open(folder)?;
    let mut batches: Vec<sled::Batch> = TREES.iter().map(|_| sled::Batch::default()).collect();
    let mut waiting = 0;
    let load = |batches: &mut Vec<sled::Batch>| {
        let mut each = batches.iter_mut().zip(&database.trees);
        each.try_for_each(|(batch, tree)| tree.apply_batch(std::mem::take(batch)))
    };
    let mut entries = 0;
    while let Some(entry) = copy.next()? {
        let batch = &mut batches[places[entry.table]];
        match entry.row {
            Some(row) => batch.insert(entry.key, row),
            None => batch.remove(entry.key),
        }
        entries += 1;
        waiting += 1;
        if waiting == BATCH {
            load(&mut batches)?;
            waiting = 0;
        }
    }
    load(&mut batches)?;
    let digest = database.digest()?;
    let position = copy.position().unwrap_or(Position { digest, ..Position::default() });
    if position.digest != digest {
        return Err(StateError::NoCopy(format!("its rows are not those of commit {}", position.seq)));
    }
    let journal = database.begin(folder, position)?;
    let head = copy.head();
    Ok((database, journal, Imported { service: head.service.clone(), at: head.at, entries, unbalanced: Vec::new() }))
}

#[cfg(test)]
#[path = "import_tests.rs"]
pub(in crate::state) mod tests;
