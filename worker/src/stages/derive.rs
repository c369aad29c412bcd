//! The pages of another generation → new pages: the same words in another design, or the same design in another
//! language.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use fleet::llm::Allowance;
use fleet::protocol::{BlobId, Failure, FailureCode, PlanJob, Planned};
use fleet::source::{Derivation, SourcePages};
use futures::future::BoxFuture;
use render_core::content::{Document, Language};
use render_core::design::{Page, SlotId, stored};
use render_core::edit::{Reworded, Target, reword, vary};
use render_core::leaf;
use render_core::outline::Locale;
use render_core::text::Fonts;

use super::context::Context;
use super::plan::{planned_page, put_all};
use super::stage::{Stage, Work};
use crate::brand::Branded;
use crate::copywriter::translate::{Original, Translated};
use crate::copywriter::{Cause, LONGEST, offline};
use crate::{failure, ingest};

/// Stored pages → stored new pages.
pub(super) const STAGES: &[Stage<State>] = &[
    Stage { name: "fetch", deadline: Duration::from_secs(13), work: Work::Io(fetch) },
    Stage { name: "open", deadline: Duration::from_secs(10), work: Work::Cpu(open) },
    Stage { name: "photo", deadline: Duration::from_secs(13), work: Work::Io(photo) },
    Stage { name: "brand", deadline: Duration::from_secs(13), work: Work::Ask(brand) },
    Stage { name: "write", deadline: LONGEST, work: Work::Ask(write) },
    Stage { name: "plan", deadline: Duration::from_secs(60), work: Work::Cpu(design) },
    Stage { name: "pack", deadline: Duration::from_secs(10), work: Work::Cpu(pack) },
    Stage { name: "store", deadline: Duration::from_secs(60), work: Work::Io(store) },
];

/// Number of seeds, each of which starts at a different variation.
const SEEDS: u64 = 200;

/// The state that the stages pass on.
pub(super) struct State {
    job: PlanJob,
    input: Bytes,
    source: Option<SourcePages<'static>>,
    document: Option<Document>,
    /// The carousels and visuals that the new pages derive from.
    sets: Vec<Vec<Page>>,
    branded: Option<Branded>,
    /// The texts of the pages of each set in the other language.
    said: Vec<Vec<Vec<Reworded>>>,
    allowance: Allowance,
    /// The new pages.
    pages: Vec<Page>,
    /// The stored new pages, then the stored document.
    packed: Vec<Bytes>,
    ids: Vec<BlobId>,
}

impl State {
    pub fn new(job: PlanJob, allowance: Allowance) -> Self {
        Self {
            job,
            input: Bytes::new(),
            source: None,
            document: None,
            sets: Vec::new(),
            branded: None,
            said: Vec::new(),
            allowance,
            pages: Vec::new(),
            packed: Vec::new(),
            ids: Vec::new(),
        }
    }

    pub fn into_planned(self) -> Planned {
        let first = self.pages.first();
        let heading = first.filter(|page| page.locale.language != self.document().language);
        let heading = heading.and_then(|page| page.text(SlotId::Title)).map(|title| title.replace('\n', " "));
        let title = heading.or(self.job.title.clone()).unwrap_or_else(|| self.document().title.text.clone());
        let language = first.map_or(&self.document().language, |page| &page.locale.language).to_string();
        let style = first.map(|page| page.style.name().to_owned()).unwrap_or_default();
        let (document, pages) = self.ids.split_last().expect("stage store comes before");
        Planned {
            document: *document,
            title,
            language,
            style,
            pages: self.pages.iter().zip(pages).map(|(page, id)| planned_page(page, *id)).collect(),
            warnings: Vec::new(),
            photos: self.photos(),
            tokens: Some(self.allowance.used()),
            usage: None,
        }
    }

    /// Returns the photographs that the pages show, each once.
    fn photos(&self) -> Vec<BlobId> {
        let ids: BTreeSet<BlobId> =
            self.pages.iter().filter_map(|page| page.photo.as_ref()?.key.parse().ok()).collect();
        ids.into_iter().collect()
    }

    fn source(&self) -> &SourcePages<'static> {
        self.source.as_ref().expect("stage open comes before")
    }

    fn document(&self) -> &Document {
        self.document.as_ref().expect("stage open comes before")
    }

    /// Returns the language that the words are translated into.
    fn language(&self) -> Result<Language, Failure> {
        let tag = self.job.language.as_deref().unwrap_or_default();
        tag.parse().map_err(|_| {
            failure::lasting(FailureCode::TranslationUnavailable, format!("{tag:?} is not a known language"))
        })
    }
}

fn fetch<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        state.input = context.blobs.get_blob(&state.job.input).await.map_err(|e| failure::unread(&e))?;
        Ok(())
    })
}

fn open(state: &mut State, _: &Context) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| failure::lasting(FailureCode::RenderFailed, error.to_string());
    let source = SourcePages::decode(&std::mem::take(&mut state.input)).map_err(|e| failed(&e))?;
    state.document = Some(ingest::restored(&source.document)?);
    let set = |set: &Vec<Cow<'_, [u8]>>| set.iter().map(|page| stored::decode(page)).collect::<Result<Vec<_>, _>>();
    state.sets = source.sets.iter().map(set).collect::<Result<_, _>>().map_err(|e| failed(&e))?;
    state.source = Some(source);
    Ok(())
}

fn photo<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        for photo in state.sets.iter_mut().flatten().filter_map(|page| page.photo.as_mut()) {
            photo.pixels = Some(context.photos.load(&photo.key, &context.blobs).await?);
        }
        Ok(())
    })
}

fn brand<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let Some(brand) = state.job.brand else { return Ok(()) };
        let mut branded = context.brands.load(brand, &context.blobs, context.renderer.fonts()).await?;
        // A stored page refers to its logo; the brand has the pixels.
        for logo in state.sets.iter_mut().flatten().filter_map(|page| page.logo.as_mut()) {
            logo.pixels = branded.brand.logos_mut().find(|l| l.key == logo.key).and_then(|l| l.pixels.clone());
        }
        state.branded = Some(branded);
        Ok(())
    })
}

fn write<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        if state.source().derivation != Derivation::Localized {
            return Ok(());
        }
        let to = state.language()?;
        let own = state.sets.iter().flatten().next().map_or(&state.document().language, |page| &page.locale.language);
        let unavailable = |why: &str, retry| offline::untranslated(own, &to, why, retry);
        let Some(copywriter) = &context.copywriter else {
            return Err(unavailable("no language model is configured", false));
        };
        // A text that appears on several pages, such as those of several formats, is translated once.
        let mut originals: Vec<Original> = Vec::new();
        for page in state.sets.iter().flatten() {
            for original in originals_of(page) {
                if !originals.iter().any(|known| is_same(known, &original)) {
                    originals.push(original);
                }
            }
        }
        let (generation, seed) = (state.job.generation, state.job.seed);
        let translated = copywriter.translate(&originals, &to, generation, seed, &state.allowance).await;
        let translated = translated.map_err(|cause| {
            let retry = matches!(&cause, Cause::Silent(error) if error.may_pass());
            unavailable(&format!("the language model failed: {cause}"), retry)
        })?;
        let known: Vec<(Original, Translated)> = originals.into_iter().zip(translated).collect();
        state.said =
            state.sets.iter().map(|set| set.iter().map(|page| translated_slots(page, &known)).collect()).collect();
        Ok(())
    })
}

/// Returns whether a slot keeps its words in every language: names, addresses, and what the layout numbers.
fn stays(slot: SlotId) -> bool {
    matches!(slot, SlotId::Brand | SlotId::Handle | SlotId::Number | SlotId::Counter | SlotId::Axis)
}

/// Returns the texts of a page that are to be translated.
fn originals_of(page: &Page) -> impl Iterator<Item = Original> + '_ {
    let slots = page.slots.iter().filter(|slot| !stays(slot.id) && slot.text.chars().any(char::is_alphabetic));
    slots.map(|slot| Original { text: slot.text.clone(), emphasis: slot.emphasis.clone(), place: slot.id.to_string() })
}

/// Returns whether one translation serves both texts.
fn is_same(a: &Original, b: &Original) -> bool {
    a.text == b.text && a.emphasis == b.emphasis
}

/// Returns the slots of a page with their translated texts.
fn translated_slots(page: &Page, known: &[(Original, Translated)]) -> Vec<Reworded> {
    let found = |original: Original| {
        let (_, (text, emphasis)) = known.iter().find(|(known, _)| is_same(known, &original))?;
        let slot = original.place.parse().ok()?;
        Some(Reworded { slot, text: text.clone(), emphasis: emphasis.clone() })
    };
    originals_of(page).filter_map(found).collect()
}

fn design(state: &mut State, context: &Context) -> Result<(), Failure> {
    let fonts = state.branded.as_ref().map_or(context.renderer.fonts(), |branded| &branded.fonts);
    let pages = match state.source().derivation {
        Derivation::Localized => localized(state, fonts)?,
        Derivation::Varied(count) => {
            let first = 1 + (state.job.seed % SEEDS) as u32;
            let sets = (first..first + count).flat_map(|nth| state.sets.iter().map(move |set| (nth, set)));
            sets.flat_map(|(nth, set)| vary(&targets(set, state.branded.as_ref(), fonts), nth)).collect()
        }
    };
    state.pages = pages;
    Ok(())
}

fn localized(state: &State, fonts: &Fonts) -> Result<Vec<Page>, Failure> {
    let language = state.language()?;
    let locale = Locale { direction: language.direction(), language };
    let mut pages = Vec::new();
    for (set, said) in state.sets.iter().zip(&state.said) {
        let reworded = reword(&targets(set, state.branded.as_ref(), fonts), said, &locale);
        pages.extend(reworded.map_err(|error| failure::lasting(FailureCode::RenderFailed, error.to_string()))?);
    }
    Ok(pages)
}

fn targets<'a>(set: &'a [Page], branded: Option<&'a Branded>, fonts: &'a Fonts) -> Vec<Target<'a>> {
    set.iter().map(|page| Target::new(page, 1, branded.map(|b| &b.brand), fonts)).collect()
}

fn pack(state: &mut State, _: &Context) -> Result<(), Failure> {
    state.packed = state.pages.iter().map(|page| Bytes::from(leaf::encode_planned(page))).collect();
    let document = state.source.take().expect("stage open comes before").document;
    state.packed.push(document.into_owned().into());
    Ok(())
}

fn store<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        state.ids = put_all(std::mem::take(&mut state.packed), context).await?;
        Ok(())
    })
}
