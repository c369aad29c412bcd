//! Typed tables over sled trees: records behind a version byte, keys that sort, transactions over all tables at once.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sled::transaction::{ConflictableTransactionError, TransactionError, Transactional, TransactionalTree};

use super::StateError;

/// Ceiling of a row, in bytes: a generation with the longest URL, title and list of formats. What is larger is a blob,
/// and the row holds its hash.
pub(super) const ROW_BYTES: usize = 6144;

/// Something that rests in a table.
///
/// The encoding doesn't evolve: a changed type gets a new version, and `decode` goes on reading the old one.
pub(super) trait Record: Serialize + DeserializeOwned {
    /// First byte of every row.
    const VERSION: u8 = 1;

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

    pub(super) fn name(&self) -> &'static str {
        super::TREES[self.index]
    }
}

/// The bytes of a record: its version, then bincode.
pub(super) fn encode<R: Record>(record: &R) -> Result<Vec<u8>, StateError> {
    let mut row = vec![R::VERSION];
    bincode::serde::encode_into_std_write(record, &mut row, bincode::config::standard())
        .map_err(|e| StateError::Unreadable(e.to_string()))?;
    if row.len() > ROW_BYTES {
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
    let config = bincode::config::standard().with_limit::<ROW_BYTES>();
    let (record, read) = bincode::serde::decode_from_slice(&body, config).map_err(|e| unreadable(e.to_string()))?;
    if read != body.len() {
        return Err(unreadable(format!("{} bytes after the record", body.len() - read)));
    }
    Ok(record)
}

/// Every tree, in the order of [`super::TREES`].
pub(super) struct Tables(Vec<sled::Tree>);

impl Tables {
    pub(super) fn open(db: &sled::Db) -> Result<Self, StateError> {
        Ok(Self(super::TREES.iter().map(|name| db.open_tree(name)).collect::<Result<_, _>>()?))
    }

    pub(super) fn get<R: Record>(&self, table: &Table<R>, key: &[u8]) -> Result<Option<R>, StateError> {
        self.0[table.index].get(key)?.map(|row| decode(&row)).transpose()
    }

    /// The rows whose key starts with `prefix`, in key order; from the end where taken from the back.
    pub(super) fn scan<R: Record>(
        &self,
        table: &Table<R>,
        prefix: &[u8],
    ) -> impl DoubleEndedIterator<Item = Result<(sled::IVec, R), StateError>> + use<R> {
        self.0[table.index].scan_prefix(prefix).map(read_row)
    }

    /// The rows from `start` up to, not including, `end`.
    pub(super) fn range<R: Record>(
        &self,
        table: &Table<R>,
        start: Vec<u8>,
        end: Vec<u8>,
    ) -> impl DoubleEndedIterator<Item = Result<(sled::IVec, R), StateError>> + use<R> {
        self.0[table.index].range(start..end).map(read_row)
    }

    /// Takes a row out by itself, where nothing depends on when that reaches the disk.
    pub(super) fn remove_if<R: Record + PartialEq>(
        &self,
        table: &Table<R>,
        key: &[u8],
        is: &R,
    ) -> Result<(), StateError> {
        let row = encode(is)?;
        // Changed meanwhile: then it is not the row that was meant.
        let _ = self.0[table.index].compare_and_swap(key, Some(row), None::<Vec<u8>>)?;
        Ok(())
    }

    /// Runs `f` alone and all or nothing. It may run more than once, so it must only compute.
    pub(super) fn transact<T>(&self, f: impl Fn(&Tx<'_>) -> Result<T, Abort>) -> Result<T, StateError> {
        let run = self.0.as_slice().transaction(|trees| f(&Tx { trees }).map_err(|Abort(e)| e));
        run.map_err(|e| match e {
            TransactionError::Abort(e) => e,
            TransactionError::Storage(e) => e.into(),
        })
    }
}

fn read_row<R: Record>(row: sled::Result<(sled::IVec, sled::IVec)>) -> Result<(sled::IVec, R), StateError> {
    let (key, row) = row?;
    Ok((key, decode(&row)?))
}

/// A transaction in progress.
pub(super) struct Tx<'a> {
    trees: &'a [TransactionalTree],
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
        Ok(())
    }

    pub(super) fn remove<R: Record>(&self, table: &Table<R>, key: &[u8]) -> Result<(), Abort> {
        self.trees[table.index].remove(key).map_err(from_tree)?;
        Ok(())
    }
}
