//! Responses stored under idempotency keys for a day: a repeated request gets the same response and changes nothing.
//!
//! A change and its response are written in one transaction ([`once`]). So whatever a crash or a concurrent duplicate
//! does, the change is made once, and every repetition gets its response. Responses are longer than rows, so each one
//! spans several rows.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::clock::Millis;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::objects::deletion_queue;
use crate::state::rows::idempotency::{AnswerPart, Idempotency};
use crate::state::rows::keyspace;
use crate::state::rows::schema::{ANSWERS, DELETIONS, IDEMPOTENCY};
use crate::state::store::Store;

/// Bytes of a response body per row.
const PART_BYTES: usize = 5_000;
/// Keys deleted per transaction.
const FORGOTTEN_AT_ONCE: usize = 64;

/// A stored success response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The `Location` header.
    pub location: Option<String>,
    /// The body.
    pub body: AnswerBody,
}

/// The JSON body of a response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum AnswerBody {
    /// The bytes.
    Bytes(Vec<u8>),
    /// The key of the object that holds the body.
    Object(String),
}

/// A request with an idempotency key, and the function that builds its response. `T` is the result of the change.
pub struct Keyed<T> {
    key: String,
    request: [u8; 32],
    answer: Arc<dyn Fn(&T) -> Answer + Send + Sync>,
}

impl<T> Keyed<T> {
    /// Creates a request with this key and fingerprint. `answer` must be deterministic.
    pub fn new(key: String, request: [u8; 32], answer: impl Fn(&T) -> Answer + Send + Sync + 'static) -> Self {
        Self { key, request, answer: Arc::new(answer) }
    }
}

impl<T> Clone for Keyed<T> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), request: self.request, answer: Arc::clone(&self.answer) }
    }
}

impl<T> fmt::Debug for Keyed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keyed").field("key", &self.key).finish_non_exhaustive()
    }
}

/// Result of a change that is made at most once.
#[derive(Debug, Clone, PartialEq)]
pub enum Once<T, R> {
    /// The change was made.
    Made(T),
    /// The change was refused. Nothing is stored, so the client may retry with the same key.
    Refused(R),
    /// The change was made before. This is its response.
    Replayed(Answer),
    /// The key was used for a different request.
    Conflict,
}

/// A limit on the number of objects is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

/// What is stored under an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Past {
    /// Nothing.
    Nothing,
    /// The response to the same request.
    Answer(Answer),
    /// The response to a different request.
    Conflict,
}

/// Makes a change unless its idempotency key was used before, and stores its response in the same transaction. A
/// `change` that refuses must not have written anything.
pub(in crate::state) fn once<T, R>(
    tx: &Tx<'_>,
    account: Uuid,
    keyed: Option<&Keyed<T>>,
    now: Millis,
    change: impl FnOnce() -> Result<Result<T, R>, Abort>,
) -> Result<Once<T, R>, Abort> {
    if let Some(Keyed { key, request, .. }) = keyed
        && let Some(past) = tx.get(&IDEMPOTENCY, &keyspace::idempotency(account, key))?
        && past.is_remembered(now)
    {
        if past.request != *request {
            return Ok(Once::Conflict);
        }
        let read = |part| tx.get(&ANSWERS, &keyspace::answer(account, key, part));
        return Ok(put_together(read)?.map_or(Once::Conflict, Once::Replayed));
    }
    let made = match change()? {
        Ok(made) => made,
        Err(refused) => return Ok(Once::Refused(refused)),
    };
    if let Some(Keyed { key, request, answer }) = keyed {
        let row = Idempotency { request: *request, made: Uuid::nil(), at: now };
        drop_answer(tx, account, key, now)?;
        tx.put(&IDEMPOTENCY, &keyspace::idempotency(account, key), &row)?;
        keep(tx, account, key, answer(&made))?;
    }
    Ok(Once::Made(made))
}

/// Writes the rows of a response.
fn keep(tx: &Tx<'_>, account: Uuid, key: &str, answer: Answer) -> Result<(), Abort> {
    let rest: Vec<AnswerPart> = match answer.body {
        AnswerBody::Bytes(bytes) => bytes.chunks(PART_BYTES).map(|part| AnswerPart::Bytes(part.to_vec())).collect(),
        AnswerBody::Object(object) => {
            // Until now the object was queued for deletion, because nothing referenced it.
            tx.remove(&DELETIONS, object.as_bytes())?;
            vec![AnswerPart::Object(object)]
        }
    };
    let parts = u16::try_from(rest.len()).map_err(|_| StateError::RowTooLarge(rest.len() * PART_BYTES))?;
    let head = AnswerPart::Head { status: answer.status, location: answer.location, parts };
    for (part, row) in (0..).zip(std::iter::once(head).chain(rest)) {
        tx.put(&ANSWERS, &keyspace::answer(account, key, part), &row)?;
    }
    Ok(())
}

/// Assembles a response from its rows. Returns `None` if there are none.
fn put_together<E: From<StateError>>(read: impl Fn(u16) -> Result<Option<AnswerPart>, E>) -> Result<Option<Answer>, E> {
    let Some(AnswerPart::Head { status, location, parts }) = read(0)? else { return Ok(None) };
    let mut bytes = Vec::new();
    for part in 1..=parts {
        match read(part)? {
            Some(AnswerPart::Bytes(more)) => bytes.extend(more),
            Some(AnswerPart::Object(object)) => {
                return Ok(Some(Answer { status, location, body: AnswerBody::Object(object) }));
            }
            Some(AnswerPart::Head { .. }) | None => return Err(StateError::Missing(ANSWERS.name()).into()),
        }
    }
    Ok(Some(Answer { status, location, body: AnswerBody::Bytes(bytes) }))
}

/// Removes the rows of a response, if there are any.
fn drop_answer(tx: &Tx<'_>, account: Uuid, key: &str, now: Millis) -> Result<(), Abort> {
    let row = |part| keyspace::answer(account, key, part);
    let Some(AnswerPart::Head { parts, .. }) = tx.get(&ANSWERS, &row(0))? else { return Ok(()) };
    for part in 0..=parts {
        if let Some(AnswerPart::Object(object)) = tx.get(&ANSWERS, &row(part))? {
            deletion_queue::put(tx, &object, now)?;
        }
        tx.remove(&ANSWERS, &row(part))?;
    }
    Ok(())
}

impl Store {
    /// Returns what is stored under an idempotency key for this request.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn answered(&self, account: Uuid, key: &str, request: &[u8; 32], now: Millis) -> Result<Past, StateError> {
        let tables = &self.shared.tables;
        let past = tables.get(&IDEMPOTENCY, &keyspace::idempotency(account, key))?;
        let Some(past) = past.filter(|past| past.is_remembered(now)) else { return Ok(Past::Nothing) };
        if past.request != *request {
            return Ok(Past::Conflict);
        }
        let answer = put_together(|part| tables.get(&ANSWERS, &keyspace::answer(account, key, part)))?;
        self.settle()?;
        Ok(answer.map_or(Past::Nothing, Past::Answer))
    }

    /// Stores the response to a request that changes nothing in the state.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn keep_answer(
        &self,
        account: Uuid,
        keyed: &Keyed<()>,
        now: Millis,
    ) -> Result<Once<(), Infallible>, StateError> {
        self.commit(|tx| once(tx, account, Some(keyed), now, || Ok(Ok(()))))
    }

    /// Deletes expired idempotency keys and their responses.
    ///
    /// # Errors
    /// [`StateError`].
    pub(in crate::state) fn forget_answers(&self, now: Millis) -> Result<(), StateError> {
        let mut old = Vec::new();
        for row in self.shared.tables.scan(&IDEMPOTENCY, &[]) {
            let (key, past) = row?;
            if !past.is_remembered(now) {
                old.push(keyspace::idempotency_parts(&key)?);
            }
        }
        for some in old.chunks(FORGOTTEN_AT_ONCE) {
            self.commit(|tx| {
                for (account, key) in some {
                    let row = keyspace::idempotency(*account, key);
                    // Check again inside the transaction: the key may have been reused since.
                    if tx.get(&IDEMPOTENCY, &row)?.is_some_and(|past| !past.is_remembered(now)) {
                        tx.remove(&IDEMPOTENCY, &row)?;
                        drop_answer(tx, *account, key, now)?;
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::rows::golden;
    use crate::state::rows::idempotency::IDEMPOTENCY_S;

    const T0: Millis = Millis(1_700_000_000_000);

    #[test]
    fn rows_stay_as_they_are() {
        let head = AnswerPart::Head { status: 202, location: Some("/api/x".into()), parts: 2 };
        golden(&head, "0100ca01062f6170692f7802");
        golden(&AnswerPart::Bytes(vec![1, 2]), "0101020102");
        golden(&AnswerPart::Object("a/b".into()), "010203612f62");
    }

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        (folder, store)
    }

    fn keyed(request: u8, body: Vec<u8>) -> Keyed<()> {
        let answer = move |_: &()| Answer { status: 200, location: None, body: AnswerBody::Bytes(body.clone()) };
        Keyed::new("k".into(), [request; 32], answer)
    }

    #[test]
    fn an_answer_of_any_length_is_given_again_until_its_day_is_over() {
        let (_folder, store) = store();
        let account = Uuid::from_u128(1);
        for length in [0, 1, PART_BYTES, PART_BYTES + 1, 60 * PART_BYTES + 7] {
            let day = T0.plus_seconds(length as u64 * 100 * IDEMPOTENCY_S);
            let body: Vec<u8> = (0..length).map(|n| n as u8).collect();
            assert_eq!(store.keep_answer(account, &keyed(1, body.clone()), day), Ok(Once::Made(())));
            let first = Answer { status: 200, location: None, body: AnswerBody::Bytes(body) };
            let again = day.plus_seconds(IDEMPOTENCY_S - 1);
            let other = keyed(1, b"other".to_vec());
            assert_eq!(store.keep_answer(account, &other, again), Ok(Once::Replayed(first.clone())));
            assert_eq!(store.answered(account, "k", &[1; 32], again), Ok(Past::Answer(first)));
            assert_eq!(store.keep_answer(account, &keyed(2, vec![]), again), Ok(Once::Conflict));
            assert_eq!(store.answered(account, "k", &[2; 32], again), Ok(Past::Conflict));
            assert_eq!(store.answered(Uuid::from_u128(2), "k", &[1; 32], again), Ok(Past::Nothing));
            assert_eq!(store.answered(account, "k", &[1; 32], day.plus_seconds(IDEMPOTENCY_S)), Ok(Past::Nothing));
        }
        store.forget_answers(Millis(i64::MAX)).unwrap();
        let tables = &store.shared.tables;
        assert_eq!((tables.scan(&IDEMPOTENCY, &[]).count(), tables.scan(&ANSWERS, &[]).count()), (0, 0));
    }

    #[test]
    fn what_is_refused_keeps_nothing() {
        let (_folder, store) = store();
        let once = |made: Result<(), u8>| {
            let keyed = keyed(1, vec![]);
            store.commit(|tx| once(tx, Uuid::nil(), Some(&keyed), T0, || Ok(made))).unwrap()
        };
        assert_eq!(once(Err(7)), Once::Refused(7));
        assert_eq!(once(Ok(())), Once::Made(()));
        assert!(matches!(once(Err(7)), Once::Replayed(_)));
    }

    #[test]
    fn an_object_is_in_the_trash_but_while_an_answer_names_it() {
        let (_folder, store) = store();
        let object = |name: &'static str| {
            Keyed::new("k".into(), [1; 32], move |_: &()| Answer {
                status: 200,
                location: None,
                body: AnswerBody::Object(name.into()),
            })
        };
        let queued = || store.due_deletions(9, Millis(i64::MAX)).unwrap();
        store.queue_deletion("a/1", T0).unwrap();
        assert_eq!(queued(), ["a/1"]);
        store.keep_answer(Uuid::nil(), &object("a/1"), T0).unwrap();
        assert!(queued().is_empty());
        let tomorrow = T0.plus_seconds(IDEMPOTENCY_S);
        store.keep_answer(Uuid::nil(), &object("a/2"), tomorrow).unwrap();
        assert_eq!(queued(), ["a/1"], "another took its place");
        store.forget_answers(tomorrow.plus_seconds(IDEMPOTENCY_S)).unwrap();
        assert_eq!(queued(), ["a/1", "a/2"]);
    }
}
