//! Recovers a damaged state from what is left of it: the database, the journal and exports.
//!
//! Two things prove a past state: a database whose rows have the digest of the commit that it claims to be at, and an
//! export. Starting from either, or from an empty state if the journal goes back to the beginning, recovery applies the
//! journal's records as long as they follow without a gap. The result with the most commits becomes the state.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::clock::Millis;
use crate::state::copies::copy::verify;
use crate::state::copies::export::sync_folder_of;
use crate::state::copies::import::{check, load};
use crate::state::database::opening::{Database, Opened, journal_folder};
use crate::state::error::StateError;
use crate::state::journal::{Position, begins_empty, is_one, knows, last_trace, salvage};

/// The result of a recovery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// Number of commits in the recovered state.
    pub commits: u64,
    /// Number of commits lost, among those of which there is a trace.
    pub lost: u64,
    /// The export used; `None` if the state was recovered from the database or the journal alone.
    pub export: Option<PathBuf>,
    /// Where the damaged files were moved.
    pub damaged: PathBuf,
}

/// What a state can be recovered from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    /// The database, whose rows match its position.
    Database,
    /// An export.
    Export(PathBuf),
    /// A journal that goes back to the beginning.
    Journal,
}

/// A source, and how far recovery gets from it.
struct Source {
    kind: Kind,
    from: Position,
    to: Position,
    /// Whether it belongs to the history of the present journal. An export may belong to a history that a restore
    /// abandoned. `None` if nothing in the journal is readable.
    ours: Option<bool>,
}

/// Recovers the state in `folder`. Among exports that lead equally far it uses the first. It moves the damaged files
/// and removes none. Returns `None` if nothing is damaged.
///
/// # Errors
/// [`StateError::Damaged`] if nothing is left to recover from, or if commits are lost and `accept_loss` is not set;
/// [`StateError::InUse`], [`StateError::Storage`].
pub fn recover(
    folder: &Path,
    exports: &[PathBuf],
    accept_loss: bool,
    now: Millis,
) -> Result<Option<Recovered>, StateError> {
    let (begun, ready) = (beside(folder, "recovering"), beside(folder, "recovered"));
    if !folder.exists() && ready.exists() {
        // A recovery was interrupted between its last two steps.
        rename(&ready, folder)?;
    }
    if folder.exists() {
        match Opened::open(folder) {
            Ok(_) => return Ok(None),
            Err(StateError::InUse(by)) => return Err(StateError::InUse(by)),
            Err(_) => {}
        }
    }
    let journal = journal_folder(folder);
    if is_one(&folder.join("db")) {
        // The database's file and a file of the journal were swapped.
        rename(&folder.join("db"), &journal.join("found"))?;
    }
    let (database, at) = sound(folder).unzip();
    let best = best_source(&journal, at, exports)?;
    let (known, lost) = known_and_lost(&journal, &best)?;
    if lost > 0 && !accept_loss {
        return Err(StateError::Damaged(format!(
            "{lost} of {known} known commits can't be recovered, only {to} can. To continue without the rest, run this \
             again with --accept-loss",
            to = best.to.seq,
        )));
    }
    let damaged = beside(folder, &format!("damaged-{}", now.0));
    let export = match &best.kind {
        Kind::Export(export) => Some(export.clone()),
        Kind::Database | Kind::Journal => None,
    };
    match (best.kind, database) {
        (Kind::Database, Some(database)) => {
            salvage(&journal, best.from, |record| database.apply(record))?;
            // Flush before moving the journal away: the database must no longer depend on its records.
            database.db.flush()?;
            std::fs::create_dir_all(&damaged).map_err(|e| failed(&damaged, &e))?;
            if journal.exists() {
                rename(&journal, &damaged.join("journal"))?;
            }
            drop(database.begin(folder, best.to)?);
        }
        (_, database) => {
            drop(database);
            rebuild(&begun, export.as_deref(), &journal, best.from, best.to)?;
            remove(&ready)?;
            rename(&begun, &ready)?;
            if folder.exists() {
                rename(folder, &damaged)?;
            }
            rename(&ready, folder)?;
        }
    }
    Opened::open(folder).map(drop)?;
    Ok(Some(Recovered { commits: best.to.seq, lost, export, damaged }))
}

/// Returns the source that leads furthest. Among equals it is the first, and a source of another history is chosen only
/// if there is no other. `at` is the position of an undamaged database.
fn best_source(journal: &Path, at: Option<Position>, exports: &[PathBuf]) -> Result<Source, StateError> {
    let mut sources = Vec::new();
    if let Some(from) = at {
        sources.push(Source { kind: Kind::Database, from, to: reach(journal, from)?, ours: Some(true) });
    }
    if begins_empty(journal).map_err(|e| failed(journal, &e))? {
        let from = Position::default();
        sources.push(Source { kind: Kind::Journal, from, to: reach(journal, from)?, ours: Some(true) });
    }
    for export in exports {
        match verify(export) {
            Ok(from) => {
                let ours = knows(journal, &from).map_err(|e| failed(journal, &e))?;
                sources.push(Source { kind: Kind::Export(export.clone()), from, to: reach(journal, from)?, ours });
            }
            Err(why) => tracing::warn!(export = %export.display(), %why, "export skipped"),
        }
    }
    let rank = |source: &Source| (source.ours != Some(false), source.to.seq);
    let best = sources.into_iter().reduce(|best, other| if rank(&other) > rank(&best) { other } else { best });
    best.ok_or_else(|| {
        StateError::Damaged("nothing to recover from: database, journal and exports are all missing or damaged".into())
    })
}

/// Returns how many commits there is a trace of, and how many of them the source doesn't lead to.
fn known_and_lost(journal: &Path, best: &Source) -> Result<(u64, u64), StateError> {
    let known = last_trace(journal).map_err(|e| failed(journal, &e))?.max(best.to.seq);
    // A state of another history contains none of the commits in the journal.
    Ok((known, if best.ours == Some(false) { known.max(1) } else { known - best.to.seq }))
}

/// Builds a state in the folder `begun` from an export, or from nothing, and the records from `from` to `to`.
fn rebuild(
    begun: &Path,
    export: Option<&Path>,
    journal: &Path,
    from: Position,
    to: Position,
) -> Result<(), StateError> {
    remove(begun)?;
    let database = match export {
        Some(export) => {
            let (database, journal, _) = load(begun, export, &check(export)?)?;
            drop(journal);
            remove(&journal_folder(begun))?;
            database
        }
        None => Database::open(begun)?,
    };
    salvage(journal, from, |record| database.apply(record))?;
    drop(database.begin(begun, to)?);
    Ok(())
}

/// Returns the database in `folder` and its position, if its rows match that position.
fn sound(folder: &Path) -> Option<(Database, Position)> {
    if !folder.exists() {
        return None;
    }
    let database = Database::open(folder).inspect_err(|why| tracing::warn!(%why, "database can't be opened")).ok()?;
    let at = database.position().ok()??;
    let digest = database.digest().inspect_err(|why| tracing::warn!(%why, "database can't be read")).ok()?;
    (at.digest == digest).then_some((database, at))
}

/// Returns the position that the journal leads to from a commit.
fn reach(journal: &Path, from: Position) -> Result<Position, StateError> {
    salvage(journal, from, |_| Ok::<(), StateError>(()))
}

fn beside(folder: &Path, what: &str) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(".");
    name.push(what);
    name.into()
}

fn rename(from: &Path, to: &Path) -> Result<(), StateError> {
    std::fs::rename(from, to).map_err(|e| failed(from, &e))?;
    sync_folder_of(to)
}

fn remove(folder: &Path) -> Result<(), StateError> {
    match std::fs::remove_dir_all(folder) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(failed(folder, &e)),
        _ => Ok(()),
    }
}

fn failed(path: &Path, e: &std::io::Error) -> StateError {
    StateError::Storage(format!("{}: {e}", path.display()))
}
