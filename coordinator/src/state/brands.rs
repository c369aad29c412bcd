//! Brand kits: rows of their account. Which one is preselected, and how many there are, stands in one row beside them, so
//! that no transaction has to look at them all.

use uuid::Uuid;

use super::answers::{Full, Keyed, Once, once};
use super::keyspace::pair;
use super::records::{Kit, KitContent, KitLogo, KitShelf};
use super::storage::{Change, StorageFull};
use super::table::{Abort, Tx};
use super::{KIT_SHELVES, KITS, StateError, Store};
use crate::clock::Millis;

/// A kit, and whether it is the account's default.
pub type Shown = (Kit, bool);

/// Which of a kit's logos.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogoVariant {
    /// For light grounds.
    Light,
    /// For dark ones.
    Dark,
}

impl Kit {
    /// Whether it has a logo.
    pub fn has_logo(&self, variant: LogoVariant) -> bool {
        match variant {
            LogoVariant::Light => self.logo.is_some(),
            LogoVariant::Dark => self.logo_dark.is_some(),
        }
    }

    /// Its logos, those that it has.
    pub(super) fn logos(&self) -> impl Iterator<Item = &KitLogo> {
        self.logo.iter().chain(&self.logo_dark)
    }

    fn logo_mut(&mut self, variant: LogoVariant) -> &mut Option<KitLogo> {
        match variant {
            LogoVariant::Light => &mut self.logo,
            LogoVariant::Dark => &mut self.logo_dark,
        }
    }
}

impl Store {
    /// Makes a kit, the account's default where `default` says so; on the disk when this returns. There may be `most`.
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

    /// An account's kits, in the order in which they were made.
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

    /// One of the account's kits; another account's is not there.
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

    /// Replaces what the owner of a kit wrote. The logos stay, but those of `without`.
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

    /// Gives a kit a logo, of so many bytes.
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

    /// Removes a kit; says whether there was one. What was made with it stays as it is.
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

    /// The families that an account's kits name.
    pub(super) fn families_named(&self, account: Uuid) -> Result<Vec<String>, StateError> {
        let mut named = Vec::new();
        for row in self.shared.tables.scan(&KITS, account.as_bytes()) {
            let (_, kit) = row?;
            named.extend(kit.content.heading.into_iter().chain(kit.content.body));
        }
        Ok(named)
    }
}

impl KitShelf {
    /// With the kit preselected, or not. There is one at most.
    fn preselecting(self, id: Uuid, default: bool) -> Self {
        let default = if default { Some(id) } else { self.default.filter(|other| *other != id) };
        Self { default, ..self }
    }

    fn shown(&self, kit: Kit) -> Shown {
        let default = self.default == Some(kit.id);
        (kit, default)
    }
}
