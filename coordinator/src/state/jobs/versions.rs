//! Versions of outputs: what each version showed, and how to restore one.
//!
//! An output's row holds what it shows now. This table holds every version that an edit or a restore created, and, from
//! the first of those on, also the original version. Version numbers have no gaps, so an output's version number gives
//! all its rows.

use uuid::Uuid;

use crate::clock::Millis;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::generations::images::is_gone;
use crate::state::generations::read::{arrangement_of, edit_under_way, edits_of, read_outputs};
use crate::state::generations::snapshot::Snapshot;
use crate::state::idempotency::{Keyed, Once, once};
use crate::state::jobs::edits::{self, Uneditable};
use crate::state::jobs::images::show;
use crate::state::objects::storage::Change;
use crate::state::rows::generations::Generation;
use crate::state::rows::keyspace::{pair, placed, versioned};
use crate::state::rows::outputs::{Edit, End, Image, Output, VERSIONS_MOST, Version, Wording};
use crate::state::rows::schema::{EDITS, GENERATIONS, OUTPUTS, VERSIONS, WORDINGS};
use crate::state::search::page_words;
use crate::state::store::Store;

/// A version in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct PastVersion {
    /// Its number.
    pub number: u32,
    /// The version.
    pub version: Version,
    /// The wording of its request.
    pub wording: Option<Wording>,
    /// Whether retention deleted its image.
    pub gone: bool,
}

/// The versions of an output.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// The versions, the newest first.
    pub versions: Vec<PastVersion>,
    /// Whether there are older ones.
    pub more: bool,
    /// The version that the output shows now.
    pub current: u32,
}

/// An output within its generation.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The generation with all its outputs.
    pub snapshot: Snapshot,
    /// The output's place among them.
    pub place: u32,
}

impl Placed {
    /// Returns the output.
    pub fn output(&self) -> Option<&Output> {
        self.snapshot.outputs.get(self.place as usize)
    }

    /// Returns its image, if it has one.
    pub fn image(&self) -> Option<&Image> {
        match self.output()?.end.as_ref()? {
            End::Ready(image) => Some(image),
            End::Failed(_) => None,
        }
    }

    /// Returns whether it can be edited: it has an image, its generation has ended, and its images are kept.
    pub fn is_editable(&self) -> bool {
        self.image().is_some() && self.snapshot.generation.may_have_images()
    }

    /// Returns the edit of it that is in progress.
    pub fn edit(&self) -> Option<&Edit> {
        let mut edits = self.snapshot.edits.iter();
        edits.find(|(place, edit)| *place == self.place && edit.fault.is_none()).map(|(_, edit)| edit)
    }

    /// Returns the outputs that may be edited together with it, with their places: the output itself and, for a slide,
    /// the other ready slides of its carousel.
    pub fn set(&self) -> Vec<(u32, &Output)> {
        let set = self.snapshot.sets().into_iter().find(|set| set.contains(&self.place)).unwrap_or_default();
        let ready = |place: u32| {
            let output = self.snapshot.outputs.get(place as usize)?;
            matches!(output.end, Some(End::Ready(_))).then_some((place, output))
        };
        set.into_iter().filter_map(ready).collect()
    }
}

/// A request to restore an earlier version of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Back {
    /// The output's id.
    pub output: Uuid,
    /// The version to show again.
    pub to: u32,
    /// The version that the output must show now; `None` accepts any.
    pub from: Option<u32>,
}

/// The generation, place and output of a restore, and the version to restore.
type Restorable = (Generation, u32, Output, Version);

/// Finds what a restore refers to, if it can be carried out.
fn restorable(tx: &Tx<'_>, account: Uuid, id: Uuid, back: Back) -> Result<Result<Restorable, Uneditable>, Abort> {
    let (generation, place, output) = match edits::editable(tx, account, id, back.output)? {
        Ok(found) => found,
        Err(why) => return Ok(Err(why)),
    };
    if edit_under_way(tx, id, place)?.is_some() {
        return Ok(Err(Uneditable::InProgress));
    }
    if back.from.is_some_and(|from| from != output.version) {
        return Ok(Err(Uneditable::Moved));
    }
    let version = match tx.get(&VERSIONS, &versioned(id, place, back.to))? {
        Some(version) => version,
        None if (back.to, output.version) == (1, 1) => Version::first(&generation, &output)?,
        None => return Ok(Err(Uneditable::NoVersion)),
    };
    if is_gone(tx, &generation, place, &output, &version)? {
        return Ok(Err(Uneditable::NotReady));
    }
    if back.to != output.version && output.version >= VERSIONS_MOST {
        return Ok(Err(Uneditable::TooMany));
    }
    Ok(Ok((generation, place, output, version)))
}

impl Store {
    /// Returns one of an account's outputs by its id. `within` is its generation, if known.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn placed(
        &self,
        account: Uuid,
        within: Option<Uuid>,
        output: Uuid,
    ) -> Result<Result<Placed, Uneditable>, StateError> {
        let id = match within {
            Some(id) => id,
            None => match self.output_place(account, output)? {
                Some((id, _)) => id,
                None => return Ok(Err(Uneditable::NoOutput)),
            },
        };
        // A read-only transaction, so that all rows come from one snapshot.
        let (found, _) = self.shared.tables.transact(|tx| {
            let Some(generation) = tx.get(&GENERATIONS, &pair(account, id))? else {
                return Ok(Err(Uneditable::NoGeneration));
            };
            let mut outputs = Vec::new();
            for place in 0..generation.total {
                outputs.push(tx.need(&OUTPUTS, &placed(id, place))?);
            }
            let edits = edits_of(tx, &generation)?;
            let arrangement = arrangement_of(tx, id)?;
            let found = (0..).zip(&outputs).find(|(place, o)| o.id == output && !arrangement.is_removed(*place));
            let Some((place, _)) = found else { return Ok(Err(Uneditable::NoOutput)) };
            let snapshot = Snapshot { generation, outputs, warnings: Vec::new(), edits, arrangement };
            Ok(Ok(Placed { snapshot, place }))
        })?;
        self.settle()?;
        Ok(found)
    }

    /// Returns the key of the thumbnail of a version of one of an account's outputs.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn thumbnail(&self, account: Uuid, output: Uuid, version: u32) -> Result<Option<String>, StateError> {
        let Some((generation, place)) = self.output_place(account, output)? else { return Ok(None) };
        let tables = &self.shared.tables;
        let shown = tables.get(&OUTPUTS, &placed(generation, place))?.filter(|shown| shown.version == version);
        if let Some(Output { end: Some(End::Ready(image)), .. }) = shown {
            return Ok(Some(image.thumbnail));
        }
        let past = tables.get(&VERSIONS, &versioned(generation, place, version))?;
        Ok(past.map(|past| past.image.thumbnail))
    }

    /// Returns up to `limit` versions of one of an account's outputs, the newest first, only those before the version
    /// `before`.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn history(
        &self,
        account: Uuid,
        generation: Uuid,
        output: Uuid,
        before: Option<u32>,
        limit: usize,
    ) -> Result<Result<(Placed, History), Uneditable>, StateError> {
        let found = match self.placed(account, Some(generation), output)? {
            Ok(found) => found,
            Err(why) => return Ok(Err(why)),
        };
        let Some(output) = found.output().filter(|o| matches!(o.end, Some(End::Ready(_)))) else {
            return Ok(Err(Uneditable::NotReady));
        };
        let tables = &self.shared.tables;
        let current = output.version;
        let newest = before.map_or(current, |before| before.saturating_sub(1).min(current));
        let mut versions = Vec::new();
        for number in (1..=newest).rev().take(limit) {
            let row = versioned(generation, found.place, number);
            let version = match tables.get(&VERSIONS, &row)? {
                Some(version) => version,
                None if current == 1 => Version::first(&found.snapshot.generation, output)?,
                // The generation was deleted in the meantime.
                None => return Ok(Err(Uneditable::NoGeneration)),
            };
            versions.push(PastVersion { number, version, wording: tables.get(&WORDINGS, &row)?, gone: false });
        }
        let generation = &found.snapshot.generation;
        if generation.images_deleted.is_some() {
            let (gone, _) = tables.transact(|tx| {
                let gone = versions.iter().map(|past| is_gone(tx, generation, found.place, output, &past.version));
                gone.collect::<Result<Vec<bool>, Abort>>()
            })?;
            for (past, gone) in versions.iter_mut().zip(gone) {
                past.gone = gone;
            }
        }
        let more = newest as usize > versions.len();
        let history = History { versions, more, current };
        Ok(Ok((found, history)))
    }

    /// Restores earlier versions of outputs of a generation, each as a new version. An output that already shows the
    /// version is left alone. A restore is free, and it applies to all outputs or none. The first element of `backs` is
    /// the output that is returned. A version whose image was deleted by retention can't be restored.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn restore(
        &self,
        account: Uuid,
        id: Uuid,
        backs: &[Back],
        keyed: Option<&Keyed<Placed>>,
        now: Millis,
    ) -> Result<Once<Placed, Uneditable>, StateError> {
        let restore = |tx: &Tx<'_>| {
            // Check all outputs before changing the first.
            let mut found = Vec::new();
            for back in backs {
                match restorable(tx, account, id, *back)? {
                    Ok(one) => found.push(one),
                    Err(why) => return Ok(Err(why)),
                }
            }
            let Some((generation, place, ..)) = found.first().cloned() else { return Ok(Err(Uneditable::NoOutput)) };
            for ((generation, place, output, version), back) in found.into_iter().zip(backs) {
                if back.to == output.version {
                    continue;
                }
                let version = Version { edit: None, restored: Some(back.to), at: now, ..version };
                // No new content: the stored content gets one more reference.
                let mut change = Change::of(account);
                change.add_blob(&version.page, None);
                change.add_image(&version.image, None);
                change.apply(tx)?;
                page_words::put_again(tx, id, place, back.to, output.version + 1)?;
                show(tx, &generation, place, output, version)?;
                tx.remove(&EDITS, &placed(id, place))?;
                tx.edited("restored", 1);
            }
            let outputs = read_outputs(tx, &generation)?;
            let edits = edits_of(tx, &generation)?;
            let arrangement = arrangement_of(tx, id)?;
            let snapshot = Snapshot { generation, outputs, warnings: Vec::new(), edits, arrangement };
            Ok(Ok(Placed { snapshot, place }))
        };
        self.commit_and(
            |tx| once(tx, account, keyed, now, || restore(tx)),
            |restored| {
                if matches!(restored, Once::Made(_)) {
                    self.tell(id);
                }
            },
        )
    }
}
