//! How edits look on the wire. What the comments on these fields say is what the OpenAPI document says of them.

use fleet::edit::{Alternative, Proposed};
use render_core::edit::{self, Unread, UnreadReason};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::error::{ApiError, Conflict, Missing};
use super::spec::examples;
use super::{App, view};
use crate::clock::Millis;
use crate::credits;
use crate::state::{End, Placed};

/// What came of a request to edit.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and written at once")]
pub enum EditAnswer {
    /// What would change.
    Proposal(EditProposal),
    /// A question back.
    Clarification(EditClarification),
    /// What is confirmed is done, or held already.
    Executed(EditResult),
}

/// What an edit would do. Nothing is changed or charged yet.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!(examples::proposal())))]
pub struct EditProposal {
    /// Always true: send `refinedInstruction` back as `confirmedInstruction` to have it done.
    needs_confirmation: bool,
    /// The image that it is about.
    output_id: Uuid,
    /// What would be, in plain English; it names the version that it was read against.
    refined_instruction: String,
    /// The same as `refinedInstruction`.
    preview: String,
    /// What changes on this image; empty where all of it is so already.
    changes: Vec<EditChange>,
    /// What the reader should know: what was taken for what, and what could not be reached in full.
    notes: Vec<String>,
    /// Credits that it costs: 10 for each image that changes, and 0 for one of which only a few words are corrected (20 % of
    /// them, unless the operator sets another share).
    credit_cost: u64,
    /// How many images change: more than one where the edit is of all slides, 0 where all of it is so already.
    changed_images: usize,
    /// The signed URL of the edited image, small; good for an hour. Where nothing changes, of the image as it is.
    #[schema(format = "uri")]
    preview_image_url: String,
    /// Other ways to do what a vague prompt asks for; empty for a prompt that says exactly what it means.
    alternatives: Vec<EditAlternative>,
}

/// A prompt in place of one that is vague or not understood, tried on this image. Send the prompt, or confirm its refined
/// instruction at once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditAlternative {
    /// The prompt.
    #[schema(examples("use another layout"))]
    prompt: String,
    /// What it would do, in plain English.
    refined_instruction: String,
    /// What changes on this image.
    changes: Vec<EditChange>,
    /// Credits that it costs.
    credit_cost: u64,
    /// How many images change.
    changed_images: usize,
    /// The signed URL of the edited image, small; good for an hour.
    #[schema(format = "uri")]
    preview_image_url: String,
}

/// One change.
#[derive(Debug, Serialize, ToSchema)]
pub struct EditChange {
    /// What changes.
    #[schema(examples("headline size"))]
    what: String,
    /// What it is now.
    #[schema(examples("120"))]
    from: String,
    /// What it would be.
    #[schema(examples("150"))]
    to: String,
}

/// A question back: the prompt can't be read, or it or what is confirmed can't be done on this image.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!(examples::clarification())))]
pub struct EditClarification {
    /// Always true: send another prompt.
    needs_clarification: bool,
    /// Which of the two.
    reason: ClarificationReason,
    /// What was not understood, or why it can't be done.
    clarification_message: String,
    /// Prompts that change this image, each tried; none where it answers what is confirmed.
    suggestions: Vec<String>,
    /// The same prompts with what each would do.
    alternatives: Vec<EditAlternative>,
}

/// Why a prompt is not done.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClarificationReason {
    /// It can't be read.
    NotUnderstood,
    /// It can be read, and can't be done on this image.
    NotPossible,
}

/// What a confirmed edit made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditResult {
    /// The image that it was asked of.
    output_id: Uuid,
    /// The signed URL of that image as it is now.
    #[schema(format = "uri")]
    image_url: String,
    /// The version of it.
    #[schema(minimum = 1)]
    version: u32,
    /// Credits that were taken: none where all of it was so already.
    credits_charged: u64,
    /// The image.
    output: view::Output,
    /// Every image that changed, of an edit of all slides; else the one.
    outputs: Vec<view::Output>,
}

/// Credits that an edit costs, where `free` hundredths of a page's words may be corrected for nothing.
pub fn price(proposed: &Proposed, free: u8) -> u64 {
    proposed.edited.iter().map(|page| credits::edit(page.correction, free)).sum()
}

/// What an edit would do, as it is answered.
pub fn proposal(
    output: Uuid,
    proposed: Proposed,
    image: String,
    alternatives: Vec<EditAlternative>,
    free: u8,
) -> EditProposal {
    EditProposal {
        credit_cost: price(&proposed, free),
        changed_images: proposed.edited.len(),
        needs_confirmation: true,
        output_id: output,
        preview: proposed.instruction.clone(),
        refined_instruction: proposed.instruction,
        changes: proposed.changes.into_iter().map(EditChange::of).collect(),
        notes: proposed.notes,
        preview_image_url: image,
        alternatives,
    }
}

/// What a change that is to no page would do, as it is answered; `price` is what it costs and how many images change.
pub fn deed(
    output: Uuid,
    instruction: String,
    change: EditChange,
    notes: Vec<String>,
    price: (u64, usize),
    image: String,
) -> EditProposal {
    EditProposal {
        needs_confirmation: true,
        output_id: output,
        preview: instruction.clone(),
        refined_instruction: instruction,
        changes: vec![change],
        notes,
        credit_cost: price.0,
        changed_images: price.1,
        preview_image_url: image,
        alternatives: Vec::new(),
    }
}

/// One change.
pub fn change(what: &str, from: String, to: String) -> EditChange {
    EditChange { what: what.to_owned(), from, to }
}

/// A prompt that may be meant, as it is answered; `image` is the address of its preview.
pub fn alternative(other: Alternative, image: String, free: u8) -> EditAlternative {
    let Alternative { prompt, proposed } = other;
    EditAlternative {
        prompt,
        credit_cost: price(&proposed, free),
        changed_images: proposed.edited.len(),
        refined_instruction: proposed.instruction,
        changes: proposed.changes.into_iter().map(EditChange::of).collect(),
        preview_image_url: image,
    }
}

/// A question back, as it is answered.
pub fn clarification(unread: Unread, alternatives: Vec<EditAlternative>) -> EditClarification {
    EditClarification {
        needs_clarification: true,
        reason: match unread.reason {
            UnreadReason::NotUnderstood => ClarificationReason::NotUnderstood,
            UnreadReason::NotPossible => ClarificationReason::NotPossible,
        },
        clarification_message: unread.message,
        suggestions: unread.suggestions,
        alternatives,
    }
}

/// That what is confirmed can't be done, and why.
pub fn not_possible(why: String) -> EditClarification {
    EditClarification {
        needs_clarification: true,
        reason: ClarificationReason::NotPossible,
        clarification_message: why,
        suggestions: Vec::new(),
        alternatives: Vec::new(),
    }
}

/// An output, and those at the places that changed, as they are now.
///
/// # Errors
/// [`Conflict::NotEditable`] where they have no image.
pub fn executed(found: &Placed, changed: &[u32], charged: u64, app: &App, now: Millis) -> Result<EditAnswer, ApiError> {
    let outputs = changed.iter().map(|place| shown(found, *place, app, now)).collect::<Result<Vec<_>, _>>()?;
    let output = shown(found, found.place, app, now)?;
    Ok(EditAnswer::Executed(EditResult {
        output_id: output.id,
        image_url: output.image_url.clone(),
        version: output.version,
        credits_charged: charged,
        output,
        outputs,
    }))
}

/// The output at a place.
///
/// # Errors
/// [`Conflict::NotEditable`] where it has no image.
pub fn shown(found: &Placed, place: u32, app: &App, now: Millis) -> Result<view::Output, ApiError> {
    let output = found.snapshot.outputs.get(place as usize).ok_or(ApiError::Missing(Missing::Output))?;
    let Some(End::Ready(image)) = &output.end else { return Err(ApiError::Conflict(Conflict::NotEditable)) };
    Ok(view::output(place, output, image, &found.snapshot, app, now))
}

impl EditChange {
    pub fn of(change: edit::Change) -> Self {
        Self { what: change.what, from: change.from, to: change.to }
    }
}
