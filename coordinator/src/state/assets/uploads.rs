//! Files uploaded before they are used: PDFs and other files for generations, font faces for brand kits.

use render_core::limits::{ACCOUNT_FACE_BYTES, ACCOUNT_FACES};
use uuid::Uuid;

use crate::clock::Millis;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::idempotency::{Full, Keyed, Once, once};
use crate::state::objects::storage::{Change, StorageFull};
use crate::state::rows::assets::{AccountFace, FaceShelf, Upload};
use crate::state::rows::idempotency::IDEMPOTENCY_S;
use crate::state::rows::keyspace::{self, pair};
use crate::state::rows::schema::{FACE_SHELVES, UPLOADS};
use crate::state::store::Store;

/// Rows removed per transaction.
const AT_ONCE: usize = 64;

/// Why an upload was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotKept {
    /// The account has the maximum number of fonts.
    Fonts(Full),
    /// The account's storage quota is used up.
    Storage(StorageFull),
}

impl Store {
    /// Stores the row of an upload. Returns once it is on the disk. `face` describes the upload if it is a font; it
    /// replaces a face of the same family and weight.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn keep_upload(
        &self,
        account: Uuid,
        upload: &Upload,
        face: Option<&AccountFace>,
        keyed: Option<&Keyed<Upload>>,
    ) -> Result<Once<Upload, NotKept>, StateError> {
        let named = if face.is_some() { self.families_named(account)? } else { Vec::new() };
        self.commit(|tx: &Tx<'_>| {
            once(tx, account, keyed, upload.created, || {
                let mut change = Change::of(account);
                // Of a font, only the plain font file is stored.
                let bytes = Some(face.map_or(upload.bytes, |face| face.bytes));
                change.add_blob(&upload.blob, bytes);
                let mut shelf = None;
                if let Some(face) = face {
                    let before = tx.get(&FACE_SHELVES, account.as_bytes())?.unwrap_or_default();
                    let Some(after) = before.clone().with(face, &named, upload.created) else {
                        return Ok(Err(NotKept::Fonts(Full)));
                    };
                    before.change_to(&after, &mut change);
                    shelf = Some(after);
                }
                if let Err(full) = change.fits(tx, self.storage_quotas())? {
                    return Ok(Err(NotKept::Storage(full)));
                }
                if let Some(shelf) = shelf {
                    tx.put(&FACE_SHELVES, account.as_bytes(), &shelf)?;
                }
                tx.put(&UPLOADS, &pair(account, upload.id), upload)?;
                change.apply(tx)?;
                Ok(Ok(upload.clone()))
            })
        })
    }

    /// Returns one of the account's uploads, expired or not.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn upload(&self, account: Uuid, id: Uuid) -> Result<Option<Upload>, StateError> {
        self.shared.tables.get(&UPLOADS, &pair(account, id))
    }

    /// Returns the faces that an account can use now: those uploaded within a day, and those whose family a brand kit
    /// uses.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn faces(&self, account: Uuid, now: Millis) -> Result<Vec<AccountFace>, StateError> {
        let shelf = self.shared.tables.get(&FACE_SHELVES, account.as_bytes())?.unwrap_or_default();
        if shelf.faces.is_empty() {
            return Ok(Vec::new());
        }
        let named = self.families_named(account)?;
        Ok(shelf.faces.into_iter().filter(|face| face.is_kept(&named, now)).collect())
    }

    /// Deletes uploads that expired so long ago that nobody requests them any more, and faces that no brand kit uses.
    /// The idempotency keys of these uploads have expired even earlier.
    ///
    /// # Errors
    /// [`StateError`].
    pub(in crate::state) fn forget_uploads(&self, now: Millis) -> Result<(), StateError> {
        let is_old = |upload: &Upload| upload.expires.plus_seconds(IDEMPOTENCY_S) <= now;
        let mut old = Vec::new();
        for row in self.shared.tables.scan(&UPLOADS, &[]) {
            let (key, upload) = row?;
            if is_old(&upload) {
                old.push((keyspace::id(&key[..16])?, key));
            }
        }
        for some in old.chunks(AT_ONCE) {
            self.commit(|tx: &Tx<'_>| {
                for (account, key) in some {
                    let Some(upload) = tx.get(&UPLOADS, key)? else { continue };
                    let mut change = Change::of(*account);
                    change.remove_blob(&upload.blob);
                    change.apply(tx)?;
                    tx.remove(&UPLOADS, key)?;
                }
                Ok(())
            })?;
        }
        for row in self.shared.tables.scan(&FACE_SHELVES, &[]) {
            let (key, shelf) = row?;
            if shelf.faces.iter().all(|face| face.expires > now) {
                continue;
            }
            let account = Uuid::from_slice(&key).map_err(|e| StateError::Unreadable(e.to_string()))?;
            let named = self.families_named(account)?;
            self.commit(|tx: &Tx<'_>| -> Result<(), Abort> {
                let before = tx.get(&FACE_SHELVES, &key)?.unwrap_or_default();
                let mut shelf = before.clone();
                shelf.faces.retain(|face| face.is_kept(&named, now));
                let mut change = Change::of(account);
                before.change_to(&shelf, &mut change);
                change.apply(tx)?;
                if shelf.faces.is_empty() {
                    tx.remove(&FACE_SHELVES, &key)
                } else {
                    tx.put(&FACE_SHELVES, &key, &shelf)
                }
            })?;
        }
        Ok(())
    }
}

impl AccountFace {
    /// Returns whether it is kept at `now`, given the families that brand kits use.
    fn is_kept(&self, named: &[String], now: Millis) -> bool {
        self.expires > now || named.contains(&self.family)
    }
}

impl FaceShelf {
    /// Adds the difference between this shelf and `after` to a storage change.
    fn change_to(&self, after: &Self, change: &mut Change) {
        self.faces.iter().for_each(|face| change.remove_blob(&face.blob));
        after.faces.iter().for_each(|face| change.add_blob(&face.blob, Some(face.bytes)));
    }

    /// Returns the shelf with one more face, which replaces one of the same family and weight; `None` if there is no
    /// room for it.
    fn with(mut self, face: &AccountFace, named: &[String], now: Millis) -> Option<Self> {
        self.faces
            .retain(|other| other.is_kept(named, now) && (&other.family, other.weight) != (&face.family, face.weight));
        self.faces.push(face.clone());
        let bytes: u64 = self.faces.iter().map(|face| face.bytes).sum();
        (self.faces.len() <= ACCOUNT_FACES && bytes <= ACCOUNT_FACE_BYTES as u64).then_some(self)
    }
}
