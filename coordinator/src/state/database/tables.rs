//! Typed tables over sled trees: versioned records, sortable keys, and transactions across all tables.

use std::cell::RefCell;
use std::collections::BTreeMap;

use parking_lot::RwLock;
use sled::transaction::{ConflictableTransactionError, TransactionError, Transactional, TransactionalTree};

use crate::credits::Movement;
use crate::state::database::dirty::{DirtySet, Row};
use crate::state::database::opening::{Opened, POSITION_KEY};
use crate::state::error::StateError;
use crate::state::journal::{Change, Digest, Journal, Position, Writer};
use crate::state::rows::encoding::{Record, decode, encode};
use crate::state::rows::schema::{TREES, Table};

/// All trees, in the order of [`TREES`], and the journal of their changes.
pub(in crate::state) struct Tables {
    opened: RwLock<Option<Opened>>,
    dirty: DirtySet,
}

impl Tables {
    pub(in crate::state) fn new(opened: Opened) -> Self {
        Self { opened: RwLock::new(Some(opened)), dirty: DirtySet::default() }
    }

    /// Closes a failed state and replaces it with the one that `open` returns. `follow` then rebuilds the in-memory
    /// views from it. No commit runs in the meantime, and reads fail until the state is open again.
    pub(in crate::state) fn reopen(
        &self,
        open: impl FnOnce() -> Result<Opened, StateError>,
        follow: impl FnOnce() -> Result<(), StateError>,
    ) -> Result<(), StateError> {
        let _alone = self.dirty.interrupt();
        self.set(None);
        self.set(Some(open()?));
        // If `follow` fails, close the state again so that the committer retries.
        follow().inspect_err(|_| self.set(None))
    }

    fn set(&self, opened: Option<Opened>) {
        *self.opened.write() = opened;
    }

    /// Checks that the state is writable. A disk error lasts until the state is reopened. Until then, commits that
    /// didn't reach the disk stay visible; afterwards they may be gone.
    pub(in crate::state) fn fault(&self) -> Result<(), StateError> {
        self.with(|opened| {
            opened.db.context.global_error()?;
            opened.journal.fault()
        })
    }

    /// Flushes everything visible to the journal on the disk. Only one thread at a time may call it.
    pub(in crate::state) fn sync(&self) -> Result<(), StateError> {
        let opened = self.opened.read();
        opened.as_ref().ok_or_else(closed)?.journal.sync()
    }

    /// Flushes the database up to the journal's end, so that a start has little to replay. Only one thread at a time
    /// may call it. No commit runs in the meantime: the database on the disk must never contain a commit that the
    /// journal on the disk lacks.
    pub(in crate::state) fn checkpoint(&self) -> Result<(), StateError> {
        let _alone = self.dirty.pause();
        self.sync()?;
        let last = self.journal(|journal| Ok(journal.last().seq))?;
        self.tree(0)?.flush()?;
        self.journal(|journal| {
            journal.checkpointed(last);
            Ok(())
        })
    }

    /// Wakes callers that are stuck in a flush of a failed database, which would otherwise wait forever.
    pub(in crate::state) fn wake(&self) {
        // Returns at once with the known fault.
        let _ = self.tree(0).and_then(|tree| Ok(tree.flush()?));
    }

    fn with<T>(&self, read: impl FnOnce(&Opened) -> Result<T, StateError>) -> Result<T, StateError> {
        read(self.opened.read().as_ref().ok_or_else(closed)?)
    }

    /// Returns the size of the database on the disk in bytes.
    pub(in crate::state) fn disk_bytes(&self) -> Result<u64, StateError> {
        self.with(|opened| Ok(opened.db.size_on_disk()?))
    }

    /// Returns the dirty set.
    pub(in crate::state) fn dirty(&self) -> &DirtySet {
        &self.dirty
    }

    /// Reads from the journal.
    pub(in crate::state) fn journal<T>(
        &self,
        ask: impl FnOnce(&Journal) -> Result<T, StateError>,
    ) -> Result<T, StateError> {
        self.with(|opened| ask(&opened.journal))
    }

    fn tree(&self, index: usize) -> Result<sled::Tree, StateError> {
        self.with(|opened| Ok(opened.trees[index].clone()))
    }

    pub(in crate::state) fn get<R: Record>(&self, table: &Table<R>, key: &[u8]) -> Result<Option<R>, StateError> {
        self.raw(table.index, key)?.map(|row| decode(&row)).transpose()
    }

    /// Returns a row in its stored encoding.
    pub(in crate::state) fn raw(&self, table: usize, key: &[u8]) -> Result<Option<sled::IVec>, StateError> {
        Ok(self.tree(table)?.get(key)?)
    }

    /// Returns the rows whose key starts with `prefix`, in key order. Reverse the iterator to read from the end.
    pub(in crate::state) fn scan<R: Record>(
        &self,
        table: &Table<R>,
        prefix: &[u8],
    ) -> impl DoubleEndedIterator<Item = Result<(sled::IVec, R), StateError>> + use<R> {
        rows(self.tree(table.index).map(|tree| tree.scan_prefix(prefix))).map(read_row)
    }

    /// Returns the rows from `start` up to, but not including, `end`.
    pub(in crate::state) fn range<R: Record>(
        &self,
        table: &Table<R>,
        start: Vec<u8>,
        end: Vec<u8>,
    ) -> impl DoubleEndedIterator<Item = Result<(sled::IVec, R), StateError>> + use<R> {
        rows(self.tree(table.index).map(|tree| tree.range(start..end))).map(read_row)
    }

    /// Returns every row of a table in its stored encoding, in key order.
    pub(in crate::state) fn scan_raw(
        &self,
        table: usize,
    ) -> impl DoubleEndedIterator<Item = Result<(sled::IVec, sled::IVec), StateError>> + use<> {
        rows(self.tree(table).map(|tree| tree.iter()))
    }

    /// Removes a row if it still equals `is`. The removal reaches the disk with the next flush.
    pub(in crate::state) fn remove_if<R: Record + PartialEq>(
        &self,
        table: &Table<R>,
        key: &[u8],
        is: &R,
    ) -> Result<(), StateError> {
        let remove = |tx: &Tx<'_>| match tx.get(table, key)? {
            Some(row) if row == *is => tx.remove(table, key),
            // The row changed in the meantime, so keep it.
            _ => Ok(()),
        };
        self.transact(remove).map(drop)
    }

    /// Runs `f` in isolation and atomically, and returns its value and what it touched. `f` may run more than once, so
    /// it must have no side effects. The commit's record is in the journal before the database changes.
    pub(in crate::state) fn transact<T>(
        &self,
        f: impl Fn(&Tx<'_>) -> Result<T, Abort>,
    ) -> Result<(T, Notes), StateError> {
        let _entered = self.dirty.enter();
        let opened = self.opened.read();
        let Opened { trees, journal, .. } = opened.as_ref().ok_or_else(closed)?;
        let writer = RefCell::new(journal.writer()?);
        let run = trees.as_slice().transaction(|trees| {
            let mut writer = writer.borrow_mut();
            writer.discard();
            let tx = Tx { trees, notes: RefCell::default(), rows: RefCell::new(Rows::after(writer.digest())) };
            let value = f(&tx).map_err(|Abort(e)| e)?;
            if let Some(position) =
                tx.rows.into_inner().stage(&mut writer).map_err(ConflictableTransactionError::Abort)?
            {
                trees[TREES.len()].insert(POSITION_KEY, position.bytes().as_slice())?;
            }
            Ok((value, tx.notes.into_inner()))
        });
        let mut writer = writer.into_inner();
        match run {
            Ok((value, notes)) => {
                writer.commit();
                self.dirty.note(notes.touched.iter().map(|(table, key)| (*table, key.as_slice())));
                Ok((value, notes))
            }
            Err(TransactionError::Abort(e)) => {
                writer.discard();
                Err(e)
            }
            Err(TransactionError::Storage(e)) => {
                if writer.is_staged() {
                    // The journal has a commit that the database may lack.
                    journal.fail();
                }
                Err(e.into())
            }
        }
    }
}

fn closed() -> StateError {
    StateError::Storage("the state is being reopened after a disk fault".into())
}

/// Iterates over the rows of a tree, or yields the error that prevents it.
fn rows(
    rows: Result<sled::Iter, StateError>,
) -> impl DoubleEndedIterator<Item = Result<(sled::IVec, sled::IVec), StateError>> {
    let (rows, error) = match rows {
        Ok(rows) => (Some(rows), None),
        Err(e) => (None, Some(Err(e))),
    };
    rows.into_iter().flatten().map(|row| Ok(row?)).chain(error)
}

fn read_row<R: Record>(row: Result<(sled::IVec, sled::IVec), StateError>) -> Result<(sled::IVec, R), StateError> {
    let (key, row) = row?;
    Ok((key, decode(&row)?))
}

/// Effects of a transaction, for the counts kept in memory.
#[derive(Debug, Default)]
pub(in crate::state) struct Notes {
    /// Table index and key of every row that the transaction put or removed.
    pub(in crate::state) touched: Vec<(usize, Vec<u8>)>,
    /// Credits moved.
    pub(in crate::state) moved: Vec<(Movement, u64)>,
    /// Outcomes of edits, each with the number of outputs.
    pub(in crate::state) edited: Vec<(&'static str, u32)>,
}

/// A transaction in progress.
pub(in crate::state) struct Tx<'a> {
    trees: &'a [TransactionalTree],
    notes: RefCell<Notes>,
    rows: RefCell<Rows>,
}

/// The rows that a transaction changes, with their new values, and the resulting digest of all rows.
struct Rows {
    changed: BTreeMap<Row, Option<Vec<u8>>>,
    digest: Digest,
}

impl Rows {
    fn after(digest: Digest) -> Self {
        Self { changed: BTreeMap::new(), digest }
    }

    fn change(&mut self, table: usize, key: &[u8], old: Option<&[u8]>, new: Option<Vec<u8>>) {
        if old == new.as_deref() {
            return;
        }
        let name = TREES[table];
        if let Some(old) = old {
            self.digest.remove(name, key, old);
        }
        if let Some(new) = &new {
            self.digest.add(name, key, new);
        }
        self.changed.insert((table, key.to_owned()), new);
    }

    /// Writes the commit's record. Writes nothing if no row changed.
    fn stage(self, writer: &mut Writer) -> Result<Option<Position>, StateError> {
        if self.changed.is_empty() {
            return Ok(None);
        }
        let changes =
            self.changed.iter().map(|((table, key), row)| Change { table: TREES[*table], key, row: row.as_deref() });
        writer.stage(self.digest, changes).map(Some)
    }
}

/// Rolls a transaction back.
pub(in crate::state) struct Abort(ConflictableTransactionError<StateError>);

impl<E: Into<StateError>> From<E> for Abort {
    fn from(e: E) -> Self {
        Self(ConflictableTransactionError::Abort(e.into()))
    }
}

fn from_tree(e: sled::transaction::UnabortableTransactionError) -> Abort {
    Abort(e.into())
}

impl Tx<'_> {
    pub(in crate::state) fn get<R: Record>(&self, table: &Table<R>, key: &[u8]) -> Result<Option<R>, Abort> {
        match self.trees[table.index].get(key).map_err(from_tree)? {
            Some(row) => Ok(Some(decode(&row)?)),
            None => Ok(None),
        }
    }

    /// Returns a row that must exist.
    pub(in crate::state) fn need<R: Record>(&self, table: &Table<R>, key: &[u8]) -> Result<R, Abort> {
        Ok(self.get(table, key)?.ok_or_else(|| StateError::Missing(table.name()))?)
    }

    pub(in crate::state) fn put<R: Record>(&self, table: &Table<R>, key: &[u8], record: &R) -> Result<(), Abort> {
        let row = encode(record)?;
        let old = self.trees[table.index].insert(key, row.as_slice()).map_err(from_tree)?;
        self.rows.borrow_mut().change(table.index, key, old.as_deref(), Some(row));
        self.touch(table.index, key);
        Ok(())
    }

    pub(in crate::state) fn remove<R: Record>(&self, table: &Table<R>, key: &[u8]) -> Result<(), Abort> {
        let old = self.trees[table.index].remove(key).map_err(from_tree)?;
        self.rows.borrow_mut().change(table.index, key, old.as_deref(), None);
        self.touch(table.index, key);
        Ok(())
    }

    /// Marks a row as changed for lists, because they show data from other rows with it.
    pub(in crate::state) fn shows<R: Record>(&self, table: &Table<R>, key: &[u8]) {
        self.touch(table.index, key);
    }

    /// Records a movement of credits.
    pub(in crate::state) fn moved(&self, movement: Movement, amount: u64) {
        self.notes.borrow_mut().moved.push((movement, amount));
    }

    /// Records the outcome of edits.
    pub(in crate::state) fn edited(&self, outcome: &'static str, outputs: u32) {
        self.notes.borrow_mut().edited.push((outcome, outputs));
    }

    fn touch(&self, table: usize, key: &[u8]) {
        self.notes.borrow_mut().touched.push((table, key.to_owned()));
    }
}
