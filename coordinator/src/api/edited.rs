//! JSON types of edit responses. The doc comments on these fields become the descriptions in the OpenAPI document.

use fleet::edit::{Alternative, Proposed};
use render_core::edit::{self, Unread, UnreadReason};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::spec::examples;
use super::view;
use crate::app::App;
use crate::clock::Millis;
use crate::credits;
use crate::http::error::{ApiError, Conflict, Missing};
use crate::state::{End, Placed};

/// The response to an edit request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "created once per response and serialized immediately")]
pub enum EditAnswer {
    /// A proposal: what the edit would change.
    Proposal(EditProposal),
    /// A request for another prompt.
    Clarification(EditClarification),
    /// The confirmed edit was applied, or the image already matched it.
    Executed(EditResult),
}

/// What an edit would do. Nothing is changed or charged yet.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!(examples::proposal())))]
pub struct EditProposal {
    /// Always true: send `refinedInstruction` back as `confirmedInstruction` to apply the edit.
    needs_confirmation: bool,
    /// The id of the image.
    output_id: Uuid,
    /// The resulting state in plain English. It names the image version that it is based on.
    refined_instruction: String,
    /// The same as `refinedInstruction`.
    preview: String,
    /// What changes on this image; empty if the image already matches the prompt.
    changes: Vec<EditChange>,
    /// Notes for the reader: how ambiguous words were interpreted, and changes that could only be made in part.
    notes: Vec<String>,
    /// Price in credits: 10 for each image that changes, and 0 for an image on which only a few words are corrected (at
    /// most 20 % of its words, unless the operator sets another share).
    credit_cost: u64,
    /// Number of images that change: more than one if the edit covers all slides, 0 if they already match the prompt.
    changed_images: usize,
    /// Signed URL of a small preview of the edited image, valid for an hour. If nothing changes, it shows the current
    /// image.
    #[schema(format = "uri")]
    preview_image_url: String,
    /// Alternative readings of a vague prompt; empty for a precise prompt.
    alternatives: Vec<EditAlternative>,
}

/// A suggested prompt in place of a vague or unreadable one, already tried on this image. Send the prompt, or confirm
/// its refined instruction directly.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditAlternative {
    /// The suggested prompt.
    #[schema(examples("use another layout"))]
    prompt: String,
    /// The effect of the prompt in plain English.
    refined_instruction: String,
    /// What changes on this image.
    changes: Vec<EditChange>,
    /// Price in credits.
    credit_cost: u64,
    /// Number of images that change.
    changed_images: usize,
    /// Signed URL of a small preview of the edited image, valid for an hour.
    #[schema(format = "uri")]
    preview_image_url: String,
}

/// One change to an image.
#[derive(Debug, Serialize, ToSchema)]
pub struct EditChange {
    /// What changes.
    #[schema(examples("headline size"))]
    what: String,
    /// The current value.
    #[schema(examples("120"))]
    from: String,
    /// The new value.
    #[schema(examples("150"))]
    to: String,
}

/// A request for another prompt: the prompt can't be understood, or the prompt or instruction can't be applied to this
/// image.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!(examples::clarification())))]
pub struct EditClarification {
    /// Always true: send another prompt.
    needs_clarification: bool,
    /// Whether the prompt was not understood or is not possible.
    reason: ClarificationReason,
    /// What was not understood, or why the edit is not possible.
    clarification_message: String,
    /// Prompts that would change this image, each already tried. Empty in response to a confirmed instruction.
    suggestions: Vec<String>,
    /// The suggested prompts with the effect of each.
    alternatives: Vec<EditAlternative>,
}

/// Why an edit was not made.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClarificationReason {
    /// The prompt can't be understood.
    NotUnderstood,
    /// The prompt was understood, but can't be applied to this image.
    NotPossible,
}

/// The result of a confirmed edit.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditResult {
    /// The id of the image that the request named.
    output_id: Uuid,
    /// Signed URL of the image as it is now.
    #[schema(format = "uri")]
    image_url: String,
    /// The version that the image shows now.
    #[schema(minimum = 1)]
    version: u32,
    /// Credits charged; 0 if the image already matched the instruction.
    credits_charged: u64,
    /// The image.
    output: view::Output,
    /// Every image that changed if the edit covers all slides; otherwise the one image.
    outputs: Vec<view::Output>,
}

/// Returns the price of an edit in credits. `free` is the percentage of a page's words that may be corrected free of
/// charge.
pub fn price(proposed: &Proposed, free: u8) -> u64 {
    proposed.edited.iter().map(|page| credits::edit(page.correction, free)).sum()
}

/// Builds the response that describes what an edit would do.
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

/// Builds the response that describes a change to no page. `price` holds its cost and the number of images that change.
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

/// Builds one change.
pub fn change(what: &str, from: String, to: String) -> EditChange {
    EditChange { what: what.to_owned(), from, to }
}

/// Builds a suggested alternative. `image` is the URL of its preview.
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

/// Builds the response that asks for another prompt.
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

/// Builds the response that says why a confirmed instruction is not possible.
pub fn not_possible(why: String) -> EditClarification {
    EditClarification {
        needs_clarification: true,
        reason: ClarificationReason::NotPossible,
        clarification_message: why,
        suggestions: Vec::new(),
        alternatives: Vec::new(),
    }
}

/// Builds the response for an executed edit: the named output and the outputs at the changed places, as they are now.
///
/// # Errors
/// [`Conflict::NotEditable`] if one of them has no image.
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

/// Returns the output at a place.
///
/// # Errors
/// [`Conflict::NotEditable`] if it has no image.
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
