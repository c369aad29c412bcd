//! Brand kits of accounts. One row per account holds the default kit and the number of kits, so that no transaction has
//! to read all kits.

use uuid::Uuid;

use crate::clock::Millis;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::idempotency::{Full, Keyed, Once, once};
use crate::state::objects::storage::{Change, StorageFull};
use crate::state::rows::assets::{Kit, KitContent, KitLogo, KitShelf, LogoVariant};
use crate::state::rows::keyspace::pair;
use crate::state::rows::schema::{KIT_SHELVES, KITS};
use crate::state::store::Store;

/// A kit, and whether it is the account's default.
pub type Shown = (Kit, bool);

impl Store {
    /// Creates a kit, and makes it the account's default if `default` is set. Returns once it is on the disk. An
    /// account has at most `most` kits.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn make_kit(
        &self,
        account: Uuid,
        kit: &Kit,
        default: bool,
        most: u32,
        keyed: Option<&Keyed<Shown>>,
    ) -> Result<Once<Shown, Full>, StateError> {
        self.commit(|tx: &Tx<'_>| {
            once(tx, account, keyed, kit.created, || {
                let shelf = tx.get(&KIT_SHELVES, account.as_bytes())?.unwrap_or_default();
                if shelf.kits >= most {
                    return Ok(Err(Full));
                }
                let shelf = KitShelf { kits: shelf.kits + 1, ..shelf.preselecting(kit.id, default) };
                tx.put(&KIT_SHELVES, account.as_bytes(), &shelf)?;
                tx.put(&KITS, &pair(account, kit.id), kit)?;
                let mut change = Change::of(account);
                kit.logos().for_each(|logo| change.add_blob(&logo.blob, None));
                change.apply(tx)?;
                Ok(Ok((kit.clone(), default)))
            })
        })
    }

    /// Returns an account's kits, in order of creation.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn kits(&self, account: Uuid) -> Result<Vec<Shown>, StateError> {
        let tables = &self.shared.tables;
        let shelf = tables.get(&KIT_SHELVES, account.as_bytes())?.unwrap_or_default();
        let kits = tables.scan(&KITS, account.as_bytes());
        let shown = kits.map(|row| row.map(|(_, kit)| shelf.shown(kit))).collect::<Result<_, _>>()?;
        self.settle()?;
        Ok(shown)
    }

    /// Returns one of the account's kits. Kits of other accounts are not found.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn kit(&self, account: Uuid, id: Uuid) -> Result<Option<Shown>, StateError> {
        let tables = &self.shared.tables;
        let Some(kit) = tables.get(&KITS, &pair(account, id))? else { return Ok(None) };
        let shelf = tables.get(&KIT_SHELVES, account.as_bytes())?.unwrap_or_default();
        self.settle()?;
        Ok(Some(shelf.shown(kit)))
    }

    /// Replaces the content of a kit. Keeps its logos except those in `without`.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn replace_kit(
        &self,
        account: Uuid,
        id: Uuid,
        content: &KitContent,
        default: bool,
        without: &[LogoVariant],
        now: Millis,
    ) -> Result<Option<Shown>, StateError> {
        self.commit(|tx: &Tx<'_>| -> Result<Option<Shown>, Abort> {
            let Some(kit) = tx.get(&KITS, &pair(account, id))? else { return Ok(None) };
            let mut kit = Kit { content: content.clone(), updated: now, ..kit };
            let mut change = Change::of(account);
            for variant in without {
                if let Some(logo) = kit.logo_mut(*variant).take() {
                    change.remove_blob(&logo.blob);
                }
            }
            change.apply(tx)?;
            let shelf = tx.need(&KIT_SHELVES, account.as_bytes())?.preselecting(id, default);
            tx.put(&KIT_SHELVES, account.as_bytes(), &shelf)?;
            tx.put(&KITS, &pair(account, id), &kit)?;
            Ok(Some(shelf.shown(kit)))
        })
    }

    /// Sets a logo of `bytes` bytes.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn set_logo(
        &self,
        account: Uuid,
        id: Uuid,
        variant: LogoVariant,
        logo: KitLogo,
        bytes: u64,
        now: Millis,
    ) -> Result<Option<Result<Shown, StorageFull>>, StateError> {
        self.commit(|tx: &Tx<'_>| -> Result<Option<Result<Shown, StorageFull>>, Abort> {
            let Some(kit) = tx.get(&KITS, &pair(account, id))? else { return Ok(None) };
            let mut kit = Kit { updated: now, ..kit };
            let mut change = Change::of(account);
            change.add_blob(&logo.blob, Some(bytes));
            if let Err(full) = change.fits(tx, self.storage_quotas())? {
                return Ok(Some(Err(full)));
            }
            if let Some(old) = kit.logo_mut(variant).replace(logo) {
                change.remove_blob(&old.blob);
            }
            change.apply(tx)?;
            tx.put(&KITS, &pair(account, id), &kit)?;
            Ok(Some(Ok(tx.need(&KIT_SHELVES, account.as_bytes())?.shown(kit))))
        })
    }

    /// Removes a kit, and returns whether there was one. Pages made with it stay as they are.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn remove_kit(&self, account: Uuid, id: Uuid) -> Result<bool, StateError> {
        self.commit(|tx: &Tx<'_>| -> Result<bool, Abort> {
            let Some(kit) = tx.get(&KITS, &pair(account, id))? else { return Ok(false) };
            let mut change = Change::of(account);
            kit.logos().for_each(|logo| change.remove_blob(&logo.blob));
            change.apply(tx)?;
            let shelf = tx.need(&KIT_SHELVES, account.as_bytes())?.preselecting(id, false);
            let shelf = KitShelf { kits: shelf.kits.saturating_sub(1), ..shelf };
            tx.put(&KIT_SHELVES, account.as_bytes(), &shelf)?;
            tx.remove(&KITS, &pair(account, id))?;
            Ok(true)
        })
    }

    /// Returns the font families that an account's kits use.
    pub(in crate::state) fn families_named(&self, account: Uuid) -> Result<Vec<String>, StateError> {
        let mut named = Vec::new();
        for row in self.shared.tables.scan(&KITS, account.as_bytes()) {
            let (_, kit) = row?;
            named.extend(kit.content.heading.into_iter().chain(kit.content.body));
        }
        Ok(named)
    }
}

impl KitShelf {
    /// Returns the shelf with the kit as the default, or not. There is at most one default.
    fn preselecting(self, id: Uuid, default: bool) -> Self {
        let default = if default { Some(id) } else { self.default.filter(|other| *other != id) };
        Self { default, ..self }
    }

    fn shown(&self, kit: Kit) -> Shown {
        let default = self.default == Some(kit.id);
        (kit, default)
    }
}
