//! Typed tables over sled trees: records behind a version byte, keys that sort, transactions over all tables at once.

use std::borrow::Cow;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::{PoisonError, RwLock};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sled::transaction::{ConflictableTransactionError, TransactionError, Transactional, TransactionalTree};

use super::StateError;
use super::journal::Journal;
use crate::credits::Movement;

/// Ceiling of a row, in bytes: a generation with the longest URL, title and list of formats. What is larger is a blob,
/// and the row holds its hash.
pub(super) const ROW_BYTES: usize = 6144;
/// Ceiling of the rows of any table, those that hold more than most by their nature included.
pub(super) const LONGEST_ROW: usize = 24_576;

/// Something that rests in a table.
///
/// The encoding doesn't evolve: a changed type gets a new version, and `decode` goes on reading the old one.
pub(super) trait Record: Serialize + DeserializeOwned {
    /// First byte of every row.
    const VERSION: u8 = 1;
    /// Ceiling of its rows, up to [`LONGEST_ROW`].
    const BYTES: usize = ROW_BYTES;

    /// The body of a row of this version as one of version `from` + 1, where there was such a version.
    fn upgraded(from: u8, body: &[u8]) -> Option<Vec<u8>> {
        let _ = (from, body);
        None
    }
}

/// A table of `R` in the tree at `index` of [`super::TREES`].
pub(super) struct Table<R> {
    index: usize,
    record: PhantomData<fn() -> R>,
}

impl<R> Table<R> {
    pub(super) const fn new(index: usize) -> Self {
        Self { index, record: PhantomData }
    }

    pub(super) const fn index(&self) -> usize {
        self.index
    }

    pub(super) fn name(&self) -> &'static str {
        super::TREES[self.index]
    }
}

/// The bytes of a record: its version, then bincode.
pub(super) fn encode<R: Record>(record: &R) -> Result<Vec<u8>, StateError> {
    let mut row = vec![R::VERSION];
    bincode::serde::encode_into_std_write(record, &mut row, bincode::config::standard())
        .map_err(|e| StateError::Unreadable(e.to_string()))?;
    if row.len() > R::BYTES {
        return Err(StateError::RowTooLarge(row.len()));
    }
    Ok(row)
}

/// The record in `row`.
pub(super) fn decode<R: Record>(row: &[u8]) -> Result<R, StateError> {
    let unreadable = |why: String| StateError::Unreadable(why);
    let (version, body) = row.split_first().ok_or_else(|| unreadable("an empty row".into()))?;
    let mut body = Cow::Borrowed(body);
    for from in *version..R::VERSION {
        body = Cow::Owned(R::upgraded(from, &body).ok_or_else(|| unreadable(format!("a row of version {from}")))?);
    }
    if *version > R::VERSION {
        return Err(unreadable(format!("a row of version {version}")));
    }
    // Without a limit, a damaged length would be allocated.
    let config = bincode::config::standard().with_limit::<LONGEST_ROW>();
    let (record, read) = bincode::serde::decode_from_slice(&body, config).map_err(|e| unreadable(e.to_string()))?;
    if read != body.len() {
        return Err(unreadable(format!("{} bytes after the record", body.len() - read)));
    }
    Ok(record)
}

/// Whether `row` is an `R`, of this version or an older one.
pub(super) fn reads<R: Record>(row: &[u8]) -> Result<(), StateError> {
    decode::<R>(row).map(drop)
}

/// Every tree, in the order of [`super::TREES`].
pub(super) struct Tables {
    opened: RwLock<Option<Opened>>,
    journal: Journal,
}

struct Opened {
    trees: Vec<sled::Tree>,
    /// After the trees: the database goes once nothing of it is held any more.
    db: sled::Db,
}

impl Opened {
    fn new(db: sled::Db) -> Result<Self, StateError> {
        let trees = super::TREES.iter().map(|name| db.open_tree(name)).collect::<Result<_, _>>()?;
        Ok(Self { trees, db })
    }
}

impl Tables {
    pub(super) fn open(db: sled::Db) -> Result<Self, StateError> {
        Ok(Self { opened: RwLock::new(Some(Opened::new(db)?)), journal: Journal::default() })
    }

    /// Lets go of a database that failed and takes the one that `open` gives; `follow` reads from it what is kept beside the
    /// tables. No commit runs meanwhile, and until the database is there nothing can be read.
    pub(super) fn reopen(
        &self,
        open: impl FnOnce() -> Result<sled::Db, StateError>,
        follow: impl FnOnce() -> Result<(), StateError>,
    ) -> Result<(), StateError> {
        let _alone = self.journal.interrupt();
        self.set(None);
        self.set(Some(Opened::new(open()?)?));
        // Closed again where it fails, so that it is tried again.
        follow().inspect_err(|_| self.set(None))
    }

    fn set(&self, opened: Option<Opened>) {
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = opened;
    }

    /// Why nothing can be written any more: an error of the disk that sled keeps until the database is opened again.
    /// What was committed without reaching the disk is visible till then and gone after.
    pub(super) fn fault(&self) -> Result<(), StateError> {
        match &*self.opened.read().unwrap_or_else(PoisonError::into_inner) {
            Some(opened) => Ok(opened.db.context.global_error()?),
            None => Err(closed()),
        }
    }

    /// Writes everything that is visible to the disk. To be called by one thread at a time; but after a fault by any,
    /// which wakes whoever waits for what will never be written.
    pub(super) fn flush(&self) -> Result<(), StateError> {
        self.tree(0)?.flush()?;
        Ok(())
    }

    /// Bytes of the database on the disk.
    pub(super) fn disk_bytes(&self) -> Result<u64, StateError> {
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
        Ok(opened.as_ref().ok_or_else(closed)?.db.size_on_disk()?)
    }

    /// What commits touch while it is kept.
    pub(super) fn journal(&self) -> &Journal {
        &self.journal
    }

    fn tree(&self, index: usize) -> Result<sled::Tree, StateError> {
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
        opened.as_ref().map(|opened| opened.trees[index].clone()).ok_or_else(closed)
    }

    pub(super) fn get<R: Record>(&self, table: &Table<R>, key: &[u8]) -> Result<Option<R>, StateError> {
        self.raw(table.index, key)?.map(|row| decode(&row)).transpose()
    }

    /// A row as it is stored.
    pub(super) fn raw(&self, table: usize, key: &[u8]) -> Result<Option<sled::IVec>, StateError> {
        Ok(self.tree(table)?.get(key)?)
    }

    /// The rows whose key starts with `prefix`, in key order; from the end where taken from the back.
    pub(super) fn scan<R: Record>(
        &self,
        table: &Table<R>,
        prefix: &[u8],
    ) -> impl DoubleEndedIterator<Item = Result<(sled::IVec, R), StateError>> + use<R> {
        rows(self.tree(table.index).map(|tree| tree.scan_prefix(prefix))).map(read_row)
    }

    /// The rows from `start` up to, not including, `end`.
    pub(super) fn range<R: Record>(
        &self,
        table: &Table<R>,
        start: Vec<u8>,
        end: Vec<u8>,
    ) -> impl DoubleEndedIterator<Item = Result<(sled::IVec, R), StateError>> + use<R> {
        rows(self.tree(table.index).map(|tree| tree.range(start..end))).map(read_row)
    }

    /// Every row of a table as it is stored, in key order.
    pub(super) fn scan_raw(
        &self,
        table: usize,
    ) -> impl DoubleEndedIterator<Item = Result<(sled::IVec, sled::IVec), StateError>> + use<> {
        rows(self.tree(table).map(|tree| tree.iter()))
    }

    /// Puts rows in as they were stored, many at once, where nobody else is at work.
    pub(super) fn load(&self, table: usize, batch: sled::Batch) -> Result<(), StateError> {
        Ok(self.tree(table)?.apply_batch(batch)?)
    }

    /// Takes a row out by itself, where nothing depends on when that reaches the disk.
    pub(super) fn remove_if<R: Record + PartialEq>(
        &self,
        table: &Table<R>,
        key: &[u8],
        is: &R,
    ) -> Result<(), StateError> {
        let row = encode(is)?;
        let _entered = self.journal.enter();
        // Changed meanwhile: then it is not the row that was meant.
        let _ = self.tree(table.index)?.compare_and_swap(key, Some(row), None::<Vec<u8>>)?;
        self.journal.note([(table.index, key)]);
        Ok(())
    }

    /// Runs `f` alone and all or nothing, and says what it touched. It may run more than once, so it must only compute.
    pub(super) fn transact<T>(&self, f: impl Fn(&Tx<'_>) -> Result<T, Abort>) -> Result<(T, Notes), StateError> {
        let _entered = self.journal.enter();
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
        let trees = &opened.as_ref().ok_or_else(closed)?.trees;
        let run = trees.as_slice().transaction(|trees| {
            let tx = Tx { trees, notes: RefCell::default() };
            let value = f(&tx).map_err(|Abort(e)| e)?;
            Ok((value, tx.notes.into_inner()))
        });
        let (value, notes) = run.map_err(|e| match e {
            TransactionError::Abort(e) => e,
            TransactionError::Storage(e) => e.into(),
        })?;
        self.journal.note(notes.touched.iter().map(|(table, key)| (*table, key.as_slice())));
        Ok((value, notes))
    }
}

fn closed() -> StateError {
    StateError::Storage("the state is being opened again after a fault of the disk".into())
}

/// The rows of a tree, or the one error for which there is none.
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

/// What a transaction did, for those who keep count beside the tables.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The table's index and the key of every row that it put or removed.
    pub(super) touched: Vec<(usize, Vec<u8>)>,
    /// Credits that it moved.
    pub(super) moved: Vec<(Movement, u64)>,
    /// What became of edits, and of how many outputs.
    pub(super) edited: Vec<(&'static str, u32)>,
}

/// A transaction in progress.
pub(super) struct Tx<'a> {
    trees: &'a [TransactionalTree],
    notes: RefCell<Notes>,
}

/// Ends a transaction without a trace.
pub(super) struct Abort(ConflictableTransactionError<StateError>);

impl<E: Into<StateError>> From<E> for Abort {
    fn from(e: E) -> Self {
        Self(ConflictableTransactionError::Abort(e.into()))
    }
}

fn from_tree(e: sled::transaction::UnabortableTransactionError) -> Abort {
    Abort(e.into())
}

impl Tx<'_> {
    pub(super) fn get<R: Record>(&self, table: &Table<R>, key: &[u8]) -> Result<Option<R>, Abort> {
        match self.trees[table.index].get(key).map_err(from_tree)? {
            Some(row) => Ok(Some(decode(&row)?)),
            None => Ok(None),
        }
    }

    /// The row that must be there.
    pub(super) fn need<R: Record>(&self, table: &Table<R>, key: &[u8]) -> Result<R, Abort> {
        Ok(self.get(table, key)?.ok_or_else(|| StateError::Missing(table.name()))?)
    }

    pub(super) fn put<R: Record>(&self, table: &Table<R>, key: &[u8], record: &R) -> Result<(), Abort> {
        self.trees[table.index].insert(key, encode(record)?).map_err(from_tree)?;
        self.touch(table.index, key);
        Ok(())
    }

    pub(super) fn remove<R: Record>(&self, table: &Table<R>, key: &[u8]) -> Result<(), Abort> {
        self.trees[table.index].remove(key).map_err(from_tree)?;
        self.touch(table.index, key);
        Ok(())
    }

    /// Notes that credits moved.
    pub(super) fn moved(&self, movement: Movement, amount: u64) {
        self.notes.borrow_mut().moved.push((movement, amount));
    }

    /// Notes what became of edits.
    pub(super) fn edited(&self, outcome: &'static str, outputs: u32) {
        self.notes.borrow_mut().edited.push((outcome, outputs));
    }

    fn touch(&self, table: usize, key: &[u8]) {
        self.notes.borrow_mut().touched.push((table, key.to_owned()));
    }
}
