//! Brand kits: rows of their account. Which one is preselected, and how many there are, stands in one row beside them, so
//! that no transaction has to look at them all.

use uuid::Uuid;

use super::keyspace::{self, pair};
use super::records::{Idempotency, Kit, KitContent, KitLogo, KitShelf, MadeKit};
use super::table::{Abort, Tx};
use super::{IDEMPOTENCY, KIT_SHELVES, KITS, MADE_KITS, StateError, Store, answers::IDEMPOTENCY_S};
use crate::clock::Millis;

/// A kit, and whether it is the account's default.
pub type Shown = (Kit, bool);

/// What became of a kit that was to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KitMade {
    /// It is there.
    Created(Shown),
    /// It was made before under the same idempotency key: as it was then.
    Replayed(Shown),
    /// The idempotency key belongs to another request.
    Conflict,
    /// The account has as many as it may have.
    Full,
}

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
        idempotency: Option<&(String, [u8; 32])>,
    ) -> Result<KitMade, StateError> {
        self.commit(|tx: &Tx<'_>| -> Result<KitMade, Abort> {
            let row = idempotency.map(|(key, request)| (keyspace::idempotency(account, key), request));
            if let Some((row, request)) = &row
                && let Some(past) = tx.get(&IDEMPOTENCY, row)?.filter(|p| is_remembered(p, kit.created))
            {
                if past.request != **request {
                    return Ok(KitMade::Conflict);
                }
                let made = tx.need(&MADE_KITS, &pair(account, past.made))?;
                return Ok(KitMade::Replayed((made.kit, made.default)));
            }
            let shelf = tx.get(&KIT_SHELVES, account.as_bytes())?.unwrap_or_default();
            if shelf.kits >= most {
                return Ok(KitMade::Full);
            }
            if let Some((row, request)) = &row {
                let made = Idempotency { request: **request, made: kit.id, at: kit.created };
                tx.put(&IDEMPOTENCY, row, &made)?;
                tx.put(&MADE_KITS, &pair(account, kit.id), &MadeKit { kit: kit.clone(), default })?;
            }
            let shelf = KitShelf { kits: shelf.kits + 1, ..shelf.preselecting(kit.id, default) };
            tx.put(&KIT_SHELVES, account.as_bytes(), &shelf)?;
            tx.put(&KITS, &pair(account, kit.id), kit)?;
            Ok(KitMade::Created((kit.clone(), default)))
        })
    }

    /// What an idempotency key made, where it is remembered: looked up before the request is judged anew, for what it
    /// names may be gone since.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn kit_made_under(
        &self,
        account: Uuid,
        (key, request): &(String, [u8; 32]),
        now: Millis,
    ) -> Result<Option<KitMade>, StateError> {
        let tables = &self.shared.tables;
        let past = tables.get(&IDEMPOTENCY, &keyspace::idempotency(account, key))?.filter(|p| is_remembered(p, now));
        let Some(past) = past else { return Ok(None) };
        if past.request != *request {
            return Ok(Some(KitMade::Conflict));
        }
        let made = tables.get(&MADE_KITS, &pair(account, past.made))?.ok_or(StateError::Missing(MADE_KITS.name()))?;
        self.settle()?;
        Ok(Some(KitMade::Replayed((made.kit, made.default))))
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
            for variant in without {
                *kit.logo_mut(*variant) = None;
            }
            let shelf = tx.need(&KIT_SHELVES, account.as_bytes())?.preselecting(id, default);
            tx.put(&KIT_SHELVES, account.as_bytes(), &shelf)?;
            tx.put(&KITS, &pair(account, id), &kit)?;
            Ok(Some(shelf.shown(kit)))
        })
    }

    /// Gives a kit a logo.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn set_logo(
        &self,
        account: Uuid,
        id: Uuid,
        variant: LogoVariant,
        logo: KitLogo,
        now: Millis,
    ) -> Result<Option<Shown>, StateError> {
        self.commit(|tx: &Tx<'_>| -> Result<Option<Shown>, Abort> {
            let Some(kit) = tx.get(&KITS, &pair(account, id))? else { return Ok(None) };
            let mut kit = Kit { updated: now, ..kit };
            *kit.logo_mut(variant) = Some(logo);
            tx.put(&KITS, &pair(account, id), &kit)?;
            Ok(Some(tx.need(&KIT_SHELVES, account.as_bytes())?.shown(kit)))
        })
    }

    /// Removes a kit; says whether there was one. What was made with it stays as it is.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn remove_kit(&self, account: Uuid, id: Uuid) -> Result<bool, StateError> {
        self.commit(|tx: &Tx<'_>| -> Result<bool, Abort> {
            if tx.get(&KITS, &pair(account, id))?.is_none() {
                return Ok(false);
            }
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

    /// Forgets the answers to idempotency keys that are forgotten themselves.
    pub(super) fn forget_made_kits(&self, now: Millis) -> Result<(), StateError> {
        for row in self.shared.tables.scan(&MADE_KITS, &[]) {
            let (key, made) = row?;
            if made.kit.created.plus_seconds(IDEMPOTENCY_S) <= now {
                self.shared.tables.remove_if(&MADE_KITS, &key, &made)?;
            }
        }
        Ok(())
    }
}

fn is_remembered(past: &Idempotency, now: Millis) -> bool {
    past.at.plus_seconds(IDEMPOTENCY_S) > now
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
