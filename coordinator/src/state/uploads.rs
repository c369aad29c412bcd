//! Files that were sent ahead of the generation that reads them.

use uuid::Uuid;

use super::keyspace::{self, pair};
use super::records::{Idempotency, Upload};
use super::table::{Abort, Tx};
use super::{IDEMPOTENCY, StateError, Store, UPLOADS, generations::IDEMPOTENCY_S};
use crate::clock::Millis;

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Uploaded {
    /// It is there.
    Created(Upload),
    /// It was there already, under the same idempotency key.
    Replayed(Upload),
    /// The idempotency key belongs to another request.
    Conflict,
}

impl Store {
    /// Keeps a file's row, on the disk when this returns.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn keep_upload(
        &self,
        account: Uuid,
        upload: &Upload,
        idempotency: Option<&(String, [u8; 32])>,
    ) -> Result<Uploaded, StateError> {
        self.commit(|tx: &Tx<'_>| -> Result<Uploaded, Abort> {
            if let Some((key, request)) = idempotency {
                let row = keyspace::idempotency(account, key);
                let past = tx.get(&IDEMPOTENCY, &row)?.filter(|p| p.at.plus_seconds(IDEMPOTENCY_S) > upload.created);
                if let Some(past) = past {
                    if past.request != *request {
                        return Ok(Uploaded::Conflict);
                    }
                    return Ok(Uploaded::Replayed(tx.need(&UPLOADS, &pair(account, past.made))?));
                }
                let made = Idempotency { request: *request, made: upload.id, at: upload.created };
                tx.put(&IDEMPOTENCY, &row, &made)?;
            }
            tx.put(&UPLOADS, &pair(account, upload.id), upload)?;
            Ok(Uploaded::Created(upload.clone()))
        })
    }

    /// One of the account's files, expired or not.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn upload(&self, account: Uuid, id: Uuid) -> Result<Option<Upload>, StateError> {
        self.shared.tables.get(&UPLOADS, &pair(account, id))
    }

    /// Forgets files that expired so long ago that nobody asks for them any more. The idempotency keys that made them
    /// are older still.
    ///
    /// # Errors
    /// [`StateError`].
    pub(super) fn forget_uploads(&self, now: Millis) -> Result<(), StateError> {
        for row in self.shared.tables.scan(&UPLOADS, &[]) {
            let (key, upload) = row?;
            if upload.expires.plus_seconds(IDEMPOTENCY_S) <= now {
                self.shared.tables.remove_if(&UPLOADS, &key, &upload)?;
            }
        }
        Ok(())
    }
}
