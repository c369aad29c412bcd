//! Typed tables over sled trees: records behind a version byte, keys that sort, transactions over all tables at once.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::{PoisonError, RwLock};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sled::transaction::{ConflictableTransactionError, TransactionError, Transactional, TransactionalTree};

use super::dirty::{DirtySet, Row};
use super::journal::{Change, Digest, Journal, Position, Writer};
use super::opening::{Opened, POSITION_KEY};
use super::{StateError, TREES};
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
    pub(super) index: usize,
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

/// Every tree, in the order of [`super::TREES`], and the journal of what changes in them.
pub(super) struct Tables {
    opened: RwLock<Option<Opened>>,
    dirty: DirtySet,
}

impl Tables {
    pub(super) fn new(opened: Opened) -> Self {
        Self { opened: RwLock::new(Some(opened)), dirty: DirtySet::default() }
    }

    /// Closes a state that failed and takes the one that `open` gives; `follow` reads from it what is kept beside the tables.
    /// No commit runs meanwhile, and nothing can be read until the state is open again.
    pub(super) fn reopen(
        &self,
        open: impl FnOnce() -> Result<Opened, StateError>,
        follow: impl FnOnce() -> Result<(), StateError>,
    ) -> Result<(), StateError> {
        let _alone = self.dirty.interrupt();
        self.set(None);
        self.set(Some(open()?));
        // Closed again where it fails, so that it is tried again.
        follow().inspect_err(|_| self.set(None))
    }

    fn set(&self, opened: Option<Opened>) {
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = opened;
    }

    /// Why nothing can be written any more: an error of the disk that lasts until the state is opened again. What was
    /// committed without reaching the disk is visible till then, and may be gone after.
    pub(super) fn fault(&self) -> Result<(), StateError> {
        self.with(|opened| {
            opened.db.context.global_error()?;
            opened.journal.fault()
        })
    }

    /// Puts everything that is visible on the disk, in the journal. One thread at a time calls it.
    pub(super) fn sync(&self) -> Result<(), StateError> {
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
        opened.as_ref().ok_or_else(closed)?.journal.sync()
    }

    /// Brings the database on the disk up to the journal, so that a start has little to replay. One thread at a time calls it.
    /// No commit runs meanwhile: what isn't in the journal on the disk must not get into the database on the disk.
    pub(super) fn checkpoint(&self) -> Result<(), StateError> {
        let _alone = self.dirty.pause();
        self.sync()?;
        let last = self.journal(|journal| Ok(journal.last().seq))?;
        self.tree(0)?.flush()?;
        self.journal(|journal| {
            journal.checkpointed(last);
            Ok(())
        })
    }

    /// Wakes a flush of a database that failed, which waits for what is never written.
    pub(super) fn wake(&self) {
        // Comes back at once, with the fault that is known already.
        let _ = self.tree(0).and_then(|tree| Ok(tree.flush()?));
    }

    fn with<T>(&self, read: impl FnOnce(&Opened) -> Result<T, StateError>) -> Result<T, StateError> {
        read(self.opened.read().unwrap_or_else(PoisonError::into_inner).as_ref().ok_or_else(closed)?)
    }

    /// Bytes of the database on the disk.
    pub(super) fn disk_bytes(&self) -> Result<u64, StateError> {
        self.with(|opened| Ok(opened.db.size_on_disk()?))
    }

    /// The rows that commits touch while an export reads them.
    pub(super) fn dirty(&self) -> &DirtySet {
        &self.dirty
    }

    /// Asks the journal something.
    pub(super) fn journal<T>(&self, ask: impl FnOnce(&Journal) -> Result<T, StateError>) -> Result<T, StateError> {
        self.with(|opened| ask(&opened.journal))
    }

    fn tree(&self, index: usize) -> Result<sled::Tree, StateError> {
        self.with(|opened| Ok(opened.trees[index].clone()))
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

    /// Removes a row where it still is `is`. It is on the disk with the next flush.
    pub(super) fn remove_if<R: Record + PartialEq>(
        &self,
        table: &Table<R>,
        key: &[u8],
        is: &R,
    ) -> Result<(), StateError> {
        let remove = |tx: &Tx<'_>| match tx.get(table, key)? {
            Some(row) if row == *is => tx.remove(table, key),
            // Changed meanwhile: then it is not the row that was meant.
            _ => Ok(()),
        };
        self.transact(remove).map(drop)
    }

    /// Runs `f` alone and all or nothing, and returns what it touched. It may run more than once, so it must only compute. Its
    /// record is in the journal before the database changes.
    pub(super) fn transact<T>(&self, f: impl Fn(&Tx<'_>) -> Result<T, Abort>) -> Result<(T, Notes), StateError> {
        let _entered = self.dirty.enter();
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
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
    rows: RefCell<Rows>,
}

/// The rows that a transaction changes, as they stand after it, and the digest of all rows with them.
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

    /// Writes the record of the commit. Nothing where it changes nothing.
    fn stage(self, writer: &mut Writer) -> Result<Option<Position>, StateError> {
        if self.changed.is_empty() {
            return Ok(None);
        }
        let changes =
            self.changed.iter().map(|((table, key), row)| Change { table: TREES[*table], key, row: row.as_deref() });
        writer.stage(self.digest, changes).map(Some)
    }
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
        let row = encode(record)?;
        let old = self.trees[table.index].insert(key, row.as_slice()).map_err(from_tree)?;
        self.rows.borrow_mut().change(table.index, key, old.as_deref(), Some(row));
        self.touch(table.index, key);
        Ok(())
    }

    pub(super) fn remove<R: Record>(&self, table: &Table<R>, key: &[u8]) -> Result<(), Abort> {
        let old = self.trees[table.index].remove(key).map_err(from_tree)?;
        self.rows.borrow_mut().change(table.index, key, old.as_deref(), None);
        self.touch(table.index, key);
        Ok(())
    }

    /// Notes that lists show a row otherwise, though the row is as it was: what they show of it rests in others.
    pub(super) fn shows<R: Record>(&self, table: &Table<R>, key: &[u8]) {
        self.touch(table.index, key);
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
