//! Versions of the rows of generations. A version that only adds fields contains the type of the one before it.

use fleet::protocol::{BlobId, ModelUsage, Wishes};
use serde::Deserialize;
use uuid::Uuid;

use crate::clock::Millis;
use crate::state::rows::encoding::versions;
use crate::state::rows::generations::{Fault, Generation, PlannedFacts, Request, UNTOLD};
use crate::state::status::Status;

versions! {
    Generation as GenerationRow:
    1 => V1(GenerationV1),
    2 => V2(GenerationV2),
    3 => V3(GenerationV3),
    4 => V4(GenerationV4),
    5 => V5(GenerationV5),
    6 => V6(GenerationV6),
    7 => V7(GenerationV7),
    8 => V8(GenerationV8),
    9 => V9(Generation),
}

/// Version 1.
#[derive(Deserialize)]
struct GenerationV1 {
    id: Uuid,
    account: Uuid,
    status: Status,
    created: Millis,
    started: Option<Millis>,
    completed: Option<Millis>,
    request: Request,
    planned: Option<PlannedFacts>,
    total: u32,
    done: u32,
    failed: u32,
    charged: u64,
    refunded: u64,
    fault: Option<Fault>,
    round: u32,
}

/// Version 2: exact content.
#[derive(Deserialize)]
struct GenerationV2 {
    before: GenerationV1,
    exact: bool,
}

impl From<GenerationV1> for GenerationV2 {
    fn from(before: GenerationV1) -> Self {
        Self { before, exact: false }
    }
}

/// Version 3: brand kits.
#[derive(Deserialize)]
struct GenerationV3 {
    before: GenerationV2,
    brand: Option<BlobId>,
}

impl From<GenerationV2> for GenerationV3 {
    fn from(before: GenerationV2) -> Self {
        Self { before, brand: None }
    }
}

/// Version 4: a photograph, and retention.
#[derive(Deserialize)]
struct GenerationV4 {
    before: GenerationV3,
    photo: Option<BlobId>,
    images_deleted: Option<Millis>,
}

impl From<GenerationV3> for GenerationV4 {
    fn from(before: GenerationV3) -> Self {
        Self { before, photo: Some(UNTOLD), images_deleted: None }
    }
}

/// Version 5: the deletion of useless input.
#[derive(Deserialize)]
struct GenerationV5 {
    before: GenerationV4,
    input_deleted: Option<Millis>,
}

impl From<GenerationV4> for GenerationV5 {
    fn from(before: GenerationV4) -> Self {
        Self { before, input_deleted: None }
    }
}

/// Version 6: variations and translations.
#[derive(Deserialize)]
struct GenerationV6 {
    before: GenerationV5,
    parent: Option<Uuid>,
}

impl From<GenerationV5> for GenerationV6 {
    fn from(before: GenerationV5) -> Self {
        Self { before, parent: None }
    }
}

/// Version 7: several photographs instead of one.
#[derive(Deserialize)]
struct GenerationV7 {
    before: GenerationV3,
    photos: Vec<BlobId>,
    images_deleted: Option<Millis>,
    input_deleted: Option<Millis>,
    parent: Option<Uuid>,
}

impl From<GenerationV6> for GenerationV7 {
    fn from(GenerationV6 { before, parent }: GenerationV6) -> Self {
        let GenerationV5 { before, input_deleted } = before;
        let GenerationV4 { before, photo, images_deleted } = before;
        Self { before, photos: photo.into_iter().collect(), images_deleted, input_deleted, parent }
    }
}

/// Version 8: the client's wishes, and what a language model used.
#[derive(Deserialize)]
struct GenerationV8 {
    before: GenerationV7,
    wishes: Wishes,
    usage: Option<ModelUsage>,
}

impl From<GenerationV7> for GenerationV8 {
    fn from(before: GenerationV7) -> Self {
        Self { before, wishes: Wishes::default(), usage: None }
    }
}

/// Version 9: a name.
impl From<GenerationV8> for Generation {
    fn from(GenerationV8 { before, wishes, usage }: GenerationV8) -> Self {
        let GenerationV7 { before, photos, images_deleted, input_deleted, parent } = before;
        let GenerationV3 { before, brand } = before;
        let GenerationV2 { before: first, exact } = before;
        Self {
            id: first.id,
            account: first.account,
            status: first.status,
            created: first.created,
            started: first.started,
            completed: first.completed,
            request: first.request,
            planned: first.planned,
            total: first.total,
            done: first.done,
            failed: first.failed,
            charged: first.charged,
            refunded: first.refunded,
            fault: first.fault,
            round: first.round,
            exact,
            brand,
            photos,
            images_deleted,
            input_deleted,
            parent,
            wishes,
            usage,
            name: None,
        }
    }
}
