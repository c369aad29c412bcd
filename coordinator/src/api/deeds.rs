//! Edits that change no page: undoing an edit, and removing, copying or moving slides of a carousel.

use std::sync::Arc;

use axum::http::StatusCode;
use fleet::edit::EditPages;
use render_core::edit::{Deed, SlideAt};
use serde_json::Value;
use uuid::Uuid;

use super::aim::{Aim, refused};
use super::arrange;
use super::edited::{self, EditAnswer};
use super::editor::{editor, in_time};
use super::slide_order::{self, AskedSlide};
use crate::access::Authorised;
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::{ApiError, Conflict};
use crate::http::idempotency::{self, Done, RequestKey};
use crate::metrics;
use crate::state::{Answer, Arranged, Back, End, PastVersion, Placed, Snapshot, Uneditable, VERSIONS_MOST};

/// Prefix of instructions that apply to all slides of a set.
const ALL: &str = "On all slides, versions ";
const ONE: &str = "On version ";
const BACK: &str = ": go back to version ";
const ALL_BACK: &str = ": go back to versions ";
const SLIDES: &str = "Arrange the slides as ";
const COPY: &str = "copy of ";
const NEW: &str = "new slide like ";
const SAYING: &str = " saying ";
/// Length of a UUID in characters.
const UUID_CHARS: usize = 36;
/// Maximum number of slides that an instruction may list.
const MOST: usize = 200;

/// A parsed instruction that changes no page.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Confirmed {
    /// Outputs go back from one version to another: either one output, or every slide of its set in order.
    Back {
        /// Whether the instruction covers all slides of the set.
        all: bool,
        /// For each output, the version it shows now and the version it goes back to.
        versions: Vec<(u32, u32)>,
    },
    /// The requested slides, in order.
    Slides(Vec<AskedSlide>),
}

impl Confirmed {
    /// Parses an instruction. Returns `None` for instructions that change pages.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_end_matches('.');
        if let Some(rest) = text.strip_prefix(SLIDES) {
            return slides_in(rest).filter(|slides| slides.len() <= MOST).map(Self::Slides);
        }
        let all = text.starts_with(ALL);
        let (from, to) = match all {
            true => text.strip_prefix(ALL)?.split_once(ALL_BACK)?,
            false => text.strip_prefix(ONE)?.split_once(BACK)?,
        };
        let numbers = |list: &str| list.split(", ").map(|n| n.parse().ok()).collect::<Option<Vec<u32>>>();
        let (from, to) = (numbers(from)?, numbers(to)?);
        let even = from.len() == to.len() && (all || from.len() == 1) && from.len() <= MOST;
        even.then(|| Self::Back { all, versions: from.into_iter().zip(to).collect() })
    }

    /// Formats the instruction.
    fn print(&self) -> String {
        match self {
            Self::Back { all, versions } => {
                let list = |pick: fn(&(u32, u32)) -> u32| {
                    versions.iter().map(|pair| pick(pair).to_string()).collect::<Vec<_>>().join(", ")
                };
                let (begins, back) = if *all { (ALL, ALL_BACK) } else { (ONE, BACK) };
                format!("{begins}{}{back}{}", list(|pair| pair.0), list(|pair| pair.1))
            }
            Self::Slides(slides) => {
                let slide = |AskedSlide { id, copied, says }: &AskedSlide| match says {
                    None if *copied => format!("{COPY}{id}"),
                    None => id.to_string(),
                    Some(page) => {
                        let new = if *copied { NEW } else { "" };
                        format!("{new}{id}{SAYING}{}", serde_json::json!(page))
                    }
                };
                format!("{SLIDES}{}", slides.iter().map(slide).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// Parses a list of slides: "ID, copy of ID, new slide like ID saying {…}".
fn slides_in(mut rest: &str) -> Option<Vec<AskedSlide>> {
    let mut out = Vec::new();
    loop {
        let (copied, new) = (rest.strip_prefix(COPY), rest.strip_prefix(NEW));
        let named = copied.or(new).unwrap_or(rest);
        let id = named.get(..UUID_CHARS)?.parse().ok()?;
        rest = named.get(UUID_CHARS..)?;
        let mut says = None;
        if let Some(text) = rest.strip_prefix(SAYING) {
            let mut read = serde_json::Deserializer::from_str(text).into_iter::<Value>();
            let page = read.next()?.ok()?;
            rest = text.get(read.byte_offset()..)?;
            says = Some(slide_order::page(&page)?);
        }
        if new.is_some() && says.is_none() {
            return None;
        }
        out.push(AskedSlide { id, copied: copied.is_some() || new.is_some(), says });
        match rest.strip_prefix(", ") {
            Some(more) => rest = more,
            None => return rest.is_empty().then_some(out),
        }
    }
}

/// Returns what a prompt that changes no page would do.
///
/// # Errors
/// The same errors as a requested edit.
pub(super) async fn propose(
    app: &Arc<App>,
    caller: &Authorised,
    aim: &Aim,
    deed: Deed,
) -> Result<EditAnswer, ApiError> {
    let proposed = match deed {
        Deed::Undo { first } => undo(app, caller, aim, first).await?,
        Deed::Slides(order) => slides(app, caller, aim, &order).await?,
        Deed::Split(at) => split(app, caller, aim, at).await?,
    };
    metrics::edited(if proposed.is_ok() { "proposed" } else { "clarified" }, 1);
    Ok(match proposed {
        Err(why) => EditAnswer::Clarification(edited::not_possible(why)),
        Ok(Proposed { confirmed, change: (what, from, to), cost, images, notes }) => {
            let image = aim.found.image().ok_or(ApiError::Internal)?;
            let shown = match &confirmed {
                Confirmed::Back { versions, .. } => back_to(app, caller, aim, versions).await?,
                Confirmed::Slides(_) => None,
            };
            let picture = app.signer.url(shown.as_ref().unwrap_or(&image.thumbnail), Millis::now());
            let change = edited::change(what, from, to);
            let output = aim.found.output().ok_or(ApiError::Internal)?.id;
            EditAnswer::Proposal(edited::deed(output, confirmed.print(), change, notes, (cost, images), picture))
        }
    })
}

/// The effect of an undo or a change of slides.
struct Proposed {
    confirmed: Confirmed,
    /// What changes, its current value and its new value.
    change: (&'static str, String, String),
    cost: u64,
    /// Number of images that change.
    images: usize,
    notes: Vec<String>,
}

/// Returns the URL of a thumbnail of the version that the output goes back to.
async fn back_to(
    app: &App,
    caller: &Authorised,
    aim: &Aim,
    versions: &[(u32, u32)],
) -> Result<Option<String>, ApiError> {
    let at = if versions.len() == 1 { 0 } else { aim.pages.at };
    let Some((_, to)) = versions.get(at) else { return Ok(None) };
    let past = history(app, caller, &aim.found, aim.found.place).await?;
    Ok(past.iter().find(|version| version.number == *to).map(|past| past.version.image.thumbnail.clone()))
}

/// Returns the versions of the output at a place, newest first.
async fn history(app: &App, caller: &Authorised, of: &Placed, place: u32) -> Result<Vec<PastVersion>, ApiError> {
    let (account, id) = (caller.account_id, of.snapshot.generation.id);
    let output = of.snapshot.outputs.get(place as usize).ok_or(ApiError::Internal)?.id;
    let most = VERSIONS_MOST as usize;
    let found = app.store.run(move |store| store.history(account, id, output, None, most)).await?;
    found.map(|(_, history)| history.versions).map_err(|why| refused(why, true))
}

/// Follows restores in `past` until it finds a version that an edit or the generation made.
fn made(past: &[PastVersion], mut number: u32) -> u32 {
    // Every restore points to an earlier version, so the loop ends.
    while let Some(to) = past.iter().find(|v| v.number == number).and_then(|v| v.version.restored) {
        number = to;
    }
    number
}

async fn undo(app: &App, caller: &Authorised, aim: &Aim, first: bool) -> Result<Result<Proposed, String>, ApiError> {
    let own = history(app, caller, &aim.found, aim.found.place).await?;
    let now = aim.version();
    let shown = made(&own, now);
    let Some(to) = shown.checked_sub(1).filter(|to| *to > 0).map(|to| if first { 1 } else { to }) else {
        return Ok(Err("There is nothing to undo: this image shows its first version.".to_owned()));
    };
    if own.iter().any(|version| version.number == to && version.gone) {
        return Ok(Err("The image of that version was deleted because of its age.".to_owned()));
    }
    let wording = |past: &[PastVersion], number: u32| {
        past.iter().find(|v| v.number == number).and_then(|v| v.wording.clone()).map(|w| w.instruction)
    };
    let instruction = wording(&own, shown).filter(|instruction| instruction.starts_with(ALL) && !first);
    let mut versions = vec![(now, to)];
    if let Some(instruction) = &instruction {
        versions.clear();
        for (page, place) in aim.pages.pages.iter().zip(&aim.set) {
            let past = history(app, caller, &aim.found, *place).await?;
            let shown = made(&past, page.version);
            let with_it = shown > 1 && wording(&past, shown).as_ref() == Some(instruction);
            versions.push((page.version, if with_it { shown - 1 } else { page.version }));
        }
    }
    let images = versions.iter().filter(|(from, to)| from != to).count();
    let undone = own.iter().find(|v| v.number == shown).and_then(|v| v.wording.as_ref()).filter(|_| !first);
    let notes = undone.map(|wording| format!("This undoes “{}”.", wording.prompt));
    Ok(Ok(Proposed {
        change: ("version", now.to_string(), format!("as in version {to}")),
        confirmed: Confirmed::Back { all: instruction.is_some(), versions },
        cost: 0,
        images,
        notes: notes.into_iter().collect(),
    }))
}

async fn slides(
    app: &Arc<App>,
    caller: &Authorised,
    aim: &Aim,
    order: &[SlideAt],
) -> Result<Result<Proposed, String>, ApiError> {
    let snapshot = &aim.found.snapshot;
    let Some((shown, _)) = snapshot.slides(aim.found.place) else {
        return Ok(Err("This image is not a slide of a carousel.".to_owned()));
    };
    let id = |slide: &SlideAt| {
        let place = shown.get(slide.index as usize)?;
        let id = snapshot.outputs.get(*place as usize)?.id;
        Some(AskedSlide { id, copied: slide.copied, says: slide.says.clone() })
    };
    let slides: Vec<AskedSlide> = order.iter().map(id).collect::<Option<_>>().ok_or(ApiError::Internal)?;
    let trial = match arrange::trial(app, caller, snapshot.generation.id, &slides).await {
        Ok(trial) => trial,
        Err(ApiError::Invalid(details)) => {
            return Ok(Err(details.into_iter().map(|detail| detail.message).collect::<Vec<_>>().join(" ")));
        }
        Err(other) => return Err(other),
    };
    let number = |SlideAt { index, copied, says }: &SlideAt| {
        let title = says.as_ref().and_then(|page| page.title.as_deref()).unwrap_or_default();
        match (says, copied) {
            (None, false) => (index + 1).to_string(),
            (None, true) => format!("{COPY}{}", index + 1),
            (Some(_), false) => format!("{} with new text", index + 1),
            (Some(_), true) => format!("new: “{title}”"),
        }
    };
    let list = |numbers: Vec<String>| numbers.join(", ");
    let before = (1..=shown.len()).map(|n| n.to_string()).collect();
    let moved = order.iter().enumerate().filter(|(n, slide)| slide.index as usize != *n).count();
    Ok(Ok(Proposed {
        change: ("slides", list(before), list(order.iter().map(number).collect())),
        confirmed: Confirmed::Slides(slides),
        cost: trial,
        images: moved.max(shown.len().abs_diff(order.len())),
        notes: Vec::new(),
    }))
}

/// Splits a slide into two: the first half of the text stays on the slide, and the second half goes on a new slide
/// after it.
async fn split(app: &Arc<App>, caller: &Authorised, aim: &Aim, at: u32) -> Result<Result<Proposed, String>, ApiError> {
    let snapshot = &aim.found.snapshot;
    let Some((shown, _)) = snapshot.slides(aim.found.place) else {
        return Ok(Err("This image is not a slide of a carousel.".to_owned()));
    };
    // Slides without an image have no page.
    let page = shown.get(at as usize).and_then(|place| aim.set.iter().position(|ready| ready == place));
    let Some(page) = page else { return Ok(Err("That slide has no image to split.".to_owned())) };
    let pages = EditPages { at: page, ..aim.pages.clone() };
    let Some([first, second]) = in_time(editor(app)?.halves(pages)).await? else {
        return Ok(Err(format!("Slide {} can't be split: it has only one point or sentence.", at + 1)));
    };
    let kept = |index: u32| SlideAt { index, copied: false, says: None };
    let mut order: Vec<SlideAt> = (0..shown.len() as u32).map(kept).collect();
    order.insert(at as usize + 1, SlideAt { copied: true, says: Some(second), ..kept(at) });
    if let Some(slide) = order.get_mut(at as usize) {
        slide.says = Some(first);
    }
    slides(app, caller, aim, &order).await
}

/// Executes a confirmed instruction.
///
/// # Errors
/// The same errors as a confirmed edit.
pub(super) async fn confirm(
    app: &Arc<App>,
    caller: &Authorised,
    within: Option<Uuid>,
    output: Uuid,
    confirmed: Confirmed,
    key: &RequestKey,
) -> Result<Done, ApiError> {
    match confirmed {
        Confirmed::Slides(slides) => {
            // The slide that the prompt named may already be removed. Confirming the same order again must still
            // succeed.
            let id = match within {
                Some(id) => id,
                None => super::aim::aim(app, caller, None, output).await?.found.snapshot.generation.id,
            };
            let tell = arranged(Arc::clone(app), output);
            let keyed = key.keyed({
                let tell = tell.clone();
                move |arranged: &Arranged| tell(&arranged.snapshot, arranged.cost, StatusCode::ACCEPTED)
            });
            arrange::arrange(app, caller, id, &slides, keyed.as_ref(), &tell).await
        }
        Confirmed::Back { all, versions } => {
            let aim = super::aim::aim(app, caller, within, output).await?;
            let id = aim.found.snapshot.generation.id;
            let places = if all { aim.set.clone() } else { vec![aim.found.place] };
            let now: Vec<u32> = places.iter().filter_map(|place| Some(output_at(&aim, *place)?.1)).collect();
            if versions.len() != places.len() {
                return Err(ApiError::Conflict(Conflict::StaleInstruction));
            }
            let mut backs = Vec::new();
            for ((place, now), (from, to)) in places.iter().zip(now).zip(&versions) {
                let (of, _) = output_at(&aim, *place).ok_or(ApiError::Internal)?;
                if now != *from && !holds(app, caller, &aim.found, *place, *from, *to).await? {
                    return Err(ApiError::Conflict(Conflict::StaleInstruction));
                }
                let moves = now == *from && from != to;
                backs.extend(moves.then_some((*place, Back { output: of, to: *to, from: Some(*from) })));
            }
            backs.sort_by_key(|(place, _)| *place != aim.found.place);
            if backs.is_empty() {
                metrics::edited("unchanged", 1);
                let answer = edited::executed(&aim.found, &[aim.found.place], 0, app, Millis::now())?;
                return Ok(Done::unchanged(&answer));
            }
            let (changed, backs): (Vec<u32>, Vec<Back>) = backs.into_iter().unzip();
            let place = aim.found.place;
            let answer = went_back(Arc::clone(app), place, changed);
            let keyed = key.keyed(answer.clone());
            let (account, now) = (caller.account_id, Millis::now());
            let done = app.store.run(move |store| store.restore(account, id, &backs, keyed.as_ref(), now)).await?;
            Done::of(done, answer, |why| match why {
                Uneditable::Moved => ApiError::Conflict(Conflict::StaleInstruction),
                why => refused(why, within.is_some()),
            })
        }
    }
}

fn output_at(aim: &Aim, place: u32) -> Option<(Uuid, u32)> {
    aim.found.snapshot.outputs.get(place as usize).map(|output| (output.id, output.version))
}

/// Whether an output that showed `from` has already gone back to `to`.
async fn holds(
    app: &App,
    caller: &Authorised,
    found: &Placed,
    place: u32,
    from: u32,
    to: u32,
) -> Result<bool, ApiError> {
    let past = history(app, caller, found, place).await?;
    Ok(past.first().is_some_and(|now| now.number == from + 1 && now.version.restored == Some(to)))
}

/// Builds the response for outputs that went back to an earlier version.
fn went_back(
    app: Arc<App>,
    place: u32,
    changed: Vec<u32>,
) -> impl Fn(&Placed) -> Answer + Clone + Send + Sync + 'static {
    move |found| {
        let found = Placed { snapshot: found.snapshot.clone(), place };
        match edited::executed(&found, &changed, 0, &app, Millis::now()) {
            Ok(answer) => idempotency::success(StatusCode::OK, None, &answer),
            // Unreachable: the outputs were ready in the transaction that restored them.
            Err(_) => idempotency::success(StatusCode::OK, None, &serde_json::json!({})),
        }
    }
}

/// Builds the response for rearranged slides: the image that the prompt named, and every current slide.
fn arranged(
    app: Arc<App>,
    output: Uuid,
) -> impl Fn(&Snapshot, u64, StatusCode) -> Answer + Clone + Send + Sync + 'static {
    move |snapshot, charged, status| {
        let place = snapshot.place(output).unwrap_or_default();
        let found = Placed { snapshot: snapshot.clone(), place };
        // The slide that the prompt named may have been removed.
        let is_ready = |place: &u32| {
            snapshot.outputs.get(*place as usize).is_some_and(|output| matches!(output.end, Some(End::Ready(_))))
        };
        let (slides, _) = snapshot.slides(place).unwrap_or_default();
        let shown: Vec<u32> = slides.into_iter().filter(is_ready).collect();
        let location = format!("{}/{}", super::generations::PATH, snapshot.generation.id);
        let location = Some(location).filter(|_| status == StatusCode::ACCEPTED);
        match edited::executed(&found, &shown, charged, &app, Millis::now()) {
            Ok(answer) => idempotency::success(status, location, &answer),
            Err(_) => idempotency::success(status, location, &serde_json::json!({})),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn instructions_read_back_as_they_are_printed() {
        let id = Uuid::from_u128(7);
        for confirmed in [
            Confirmed::Back { all: false, versions: vec![(3, 2)] },
            Confirmed::Back { all: true, versions: vec![(3, 2), (2, 2), (4, 1)] },
            Confirmed::Slides(vec![
                AskedSlide { id, copied: false, says: None },
                AskedSlide { id, copied: true, says: None },
                AskedSlide { id, copied: true, says: slide_order::page(&json!({"title": "A, “b” {c}"})) },
                AskedSlide { id, copied: false, says: slide_order::page(&json!({"title": "A", "text": "B"})) },
            ]),
        ] {
            assert_eq!(Confirmed::parse(&confirmed.print()), Some(confirmed));
        }
        for text in ["On version 3: hide the page number", "On all slides, versions 3, 2: go back to versions 1", ""] {
            assert_eq!(Confirmed::parse(text), None, "{text}");
        }
    }
}
