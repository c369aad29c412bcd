//! The pages of an order: a brief, then for each set of formats the pages, judged and mended.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use fleet::llm::{Budget, Call, LlmError, Role, Turn};
use futures::future::join_all;
use render_core::author::{self, Commission, Fault, Licence, Reading};
use render_core::content::{Evidence, Idea, without_pictures};
use render_core::format::{Density, FormatId, Purpose};
use render_core::outline::{Locale, Outline, facts};
use render_core::plan::{self, PlanRequest};

use super::brief::{self, Brief};
use super::{Cause, Copywriter, KEPT, MOST_TOKENS, Order, Written, clipped, prompt, review};
use crate::metrics::{COPY, COPY_SECONDS};

/// Times that a model is asked for one set of pages: once, and twice more to mend them.
const ROUNDS: usize = 3;
/// Tokens that an answer may have: so many, and so many a page. Models that think aloud need more than the pages.
const TOKENS: (u32, u32) = (4_000, 1_200);

/// Formats that the same pages serve: as many, for the same purpose, read as closely.
pub(super) struct Set {
    pub formats: Vec<FormatId>,
    pub slides: Option<u32>,
    purpose: Purpose,
    density: Density,
}

/// What came of an answer.
pub(super) struct Judged {
    pub outline: Outline,
    /// What is wrong with it, and the pages that are concerned; none where the whole set is.
    pub faults: Vec<Fault>,
    pub pages: Vec<usize>,
}

impl Copywriter {
    /// Outlines for all formats of an order.
    pub(crate) async fn write(&self, order: &Order<'_>) -> Written {
        let budget = Budget::within(self.spending.time, self.spending.tokens, order.allowance);
        let sets = sets(order.formats);
        // The source as it was read, and as it is written: Markdown marks what it means by itself with a backslash.
        let mut evidence = order.document.evidence.clone();
        let source = without_pictures(order.source);
        let order = &Order { source: &source, ..*order };
        evidence.admit(order.source);
        let brief = match self.brief(order, &sets, &budget).await {
            Ok(brief) => brief,
            Err(error) => {
                let cause = Cause::Silent(error);
                metrics::counter!(COPY, "outcome" => cause.name()).increment(1);
                let missing = order.formats.iter().map(|(format, _)| (*format, cause.clone())).collect();
                return Written { outlines: Vec::new(), missing };
            }
        };
        let asked = sets.iter().map(|set| self.write_set(order, &evidence, set, brief.as_ref(), &budget));
        let mut out = Written::default();
        for (set, written) in sets.iter().zip(join_all(asked).await) {
            match written {
                Ok(outline) => out.outlines.extend(set.formats.iter().map(|format| (*format, outline.clone()))),
                Err(cause) => out.missing.extend(set.formats.iter().map(|format| (*format, cause.clone()))),
            }
        }
        out
    }

    /// The brief for the longest carousel of an order; `None` where there is no carousel, or the model wrote none.
    async fn brief(&self, order: &Order<'_>, sets: &[Set], budget: &Budget) -> Result<Option<Brief>, LlmError> {
        let Some(pages) = sets.iter().filter_map(|set| set.slides).max() else { return Ok(None) };
        let schema = brief::schema(pages as usize);
        let turns = brief::turns(order, pages as usize);
        let max_tokens = tokens(brief::TOKENS, pages);
        let call = Call { turns: &turns, form: Some(brief::form(&schema)), max_tokens, seed: order.seed };
        match self.model.ask(call, budget).await {
            Ok(said) => Ok(brief::read(&said)),
            // A model that said too much, or would not, may compose pages all the same.
            Err(LlmError::CutOff | LlmError::Declined) => Ok(None),
            Err(error) => {
                tracing::warn!(%error, "the language model gave no brief");
                Err(error)
            }
        }
    }

    async fn write_set(
        &self,
        order: &Order<'_>,
        evidence: &Evidence,
        set: &Set,
        brief: Option<&Brief>,
        budget: &Budget,
    ) -> Result<Outline, Cause> {
        let began = Instant::now();
        let (outcome, name) = self.rounds(order, evidence, set, brief, budget).await;
        metrics::counter!(COPY, "outcome" => name).increment(1);
        metrics::histogram!(COPY_SECONDS).record(began.elapsed().as_secs_f64());
        outcome
    }

    /// Asks for a set until it can be used as it is; what can be used of the last answer that has pages, else.
    async fn rounds(
        &self,
        order: &Order<'_>,
        evidence: &Evidence,
        set: &Set,
        brief: Option<&Brief>,
        budget: &Budget,
    ) -> (Result<Outline, Cause>, &'static str) {
        let commission = commission(order, evidence, set);
        let Some(format) = set.formats.first() else { return (Err(Cause::Invalid), Cause::Invalid.name()) };
        let mut turns = prompt::turns(order, &commission, *format, brief);
        let max_tokens = tokens(TOKENS, set.slides.unwrap_or(1));
        let mut best: Option<(Judged, Vec<String>)> = None;
        // The pages as they stand, and those that were asked for again.
        let (mut texts, mut concerned): (Vec<String>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut failure = Cause::Invalid;
        let mut name = "salvaged";
        for round in 0..ROUNDS {
            let call = Call { turns: &turns, form: None, max_tokens, seed: order.seed };
            let said = match self.model.ask(call, budget).await {
                Ok(said) => said,
                Err(error) => {
                    tracing::warn!(%error, round, "the language model gave no answer");
                    failure = Cause::Silent(error);
                    break;
                }
            };
            texts = merged(&texts, &concerned, &said);
            let judged = judge(order, set, &commission, &texts.join("\n"));
            let faults = match judged {
                Ok(judged) if judged.faults.is_empty() => {
                    name = if round == 0 { "written" } else { "mended" };
                    best = Some((judged, texts));
                    break;
                }
                Ok(judged) => {
                    let faults = judged.faults.clone();
                    concerned.clone_from(&judged.pages);
                    // What was mended is never worse than what was there.
                    if best.as_ref().is_none_or(|(best, _)| faults.len() <= best.faults.len()) {
                        best = Some((judged, texts.clone()));
                    }
                    faults
                }
                Err(faults) => {
                    let whole = texts.len() != commission.pages();
                    concerned = if whole { Vec::new() } else { pages_of(&faults) };
                    faults
                }
            };
            tracing::info!(round, faults = faults.len(), "a language model's pages were refused");
            turns.push(Turn::new(Role::Assistant, clipped(&said)));
            turns.push(Turn::new(Role::User, prompt::mend(&faults, &concerned)));
        }
        match best {
            Some((judged, texts)) if self.sees => {
                let asked = review::Asked { order, set, commission: &commission, seed: order.seed, max_tokens };
                (Ok(self.reviewed(&asked, judged, &texts, budget).await), name)
            }
            Some((judged, _)) => (Ok(judged.outline), name),
            None => {
                let name = failure.name();
                (Err(failure), name)
            }
        }
    }
}

/// Judges an answer: by what it says, and by how its pages stand in each of the formats.
pub(super) fn judge(
    order: &Order<'_>,
    set: &Set,
    commission: &Commission<'_>,
    answer: &str,
) -> Result<Judged, Vec<Fault>> {
    let Reading { outline, faults } = commission.read(answer)?;
    let mut all = faults;
    let request = request(order, set, &[]);
    for (nth, format) in set.formats.iter().enumerate() {
        for (index, found) in plan::faults(&request, *format, &outline, order.fonts) {
            let faults = found.iter().map(|fault| Fault::of_page(index, fault, &outline.pages[index]));
            all.extend(faults.map(|fault| if nth == 0 { fault } else { fault.within(format.format()) }));
        }
    }
    Ok(Judged { outline, pages: pages_of(&all), faults: all })
}

/// The pages that faults concern, in order; none where one of them concerns the whole set.
fn pages_of(faults: &[Fault]) -> Vec<usize> {
    let pages: Option<BTreeSet<usize>> = faults.iter().map(Fault::page).collect();
    pages.unwrap_or_default().into_iter().collect()
}

/// How the pages of a set are planned.
pub(super) fn request<'a>(order: &Order<'a>, set: &Set, written: &'a [(FormatId, Outline)]) -> PlanRequest<'a> {
    PlanRequest {
        document: order.document,
        locale: Locale { language: order.language.clone(), direction: order.language.direction() },
        formats: set.formats.iter().map(|format| (*format, set.slides)).collect(),
        style: order.style,
        seed: order.seed,
        written,
        photo: order.photo,
        pictures: order.pictures,
        brand: order.brand,
    }
}

/// The pages of a set after an answer: those that were asked for again in place of what they were, or all of them.
fn merged(texts: &[String], concerned: &[usize], said: &str) -> Vec<String> {
    let new = author::pages(said);
    if new.len() == concerned.len() && new.len() < texts.len() && !new.is_empty() {
        let mut out = texts.to_vec();
        for (index, page) in concerned.iter().zip(new) {
            if let Some(text) = out.get_mut(*index) {
                page.clone_into(text);
            }
        }
        return out;
    }
    new.into_iter().map(str::to_owned).collect()
}

fn tokens((least, each): (u32, u32), pages: u32) -> u32 {
    pages.saturating_mul(each).saturating_add(least).min(MOST_TOKENS)
}

/// The formats of an order, those together that the same pages serve.
fn sets(formats: &[(FormatId, Option<u32>)]) -> Vec<Set> {
    let mut sets: BTreeMap<(Option<u32>, u8, u8), Set> = BTreeMap::new();
    for (id, slides) in formats {
        let format = id.format();
        let (purpose, density) = (format.purpose, format.density);
        let set = sets.entry((*slides, purpose as u8, density as u8));
        set.or_insert(Set { formats: Vec::new(), slides: *slides, purpose, density }).formats.push(*id);
    }
    sets.into_values().collect()
}

fn commission<'a>(order: &Order<'a>, evidence: &'a Evidence, set: &Set) -> Commission<'a> {
    let translated = order.language.primary() != order.source_language.primary();
    Commission {
        slides: set.slides,
        purpose: set.purpose,
        density: set.density,
        title: order.title,
        language: order.language,
        source_language: order.source_language,
        source: order.source,
        evidence,
        licence: if order.idea.is_some() { Licence::Idea } else { Licence::Source },
        count: order.idea.and_then(|idea| idea.count),
        kept: order.idea.map_or_else(Vec::new, |idea| kept(idea, order.source, translated)),
        photos: order.photos().len(),
    }
}

/// What of an idea must stand on the pages it is developed into: what its reader would act on. In another language
/// numbers may be written otherwise; codes and addresses are not.
fn kept(idea: &Idea, source: &str, translated: bool) -> Vec<String> {
    // How many things there are is seen by counting them.
    let count = idea.count.map(|n| n.to_string());
    let is_number = |fact: &String| fact.chars().all(|c| !c.is_alphabetic());
    let facts: Vec<String> =
        facts(source).into_iter().filter(|f| !(translated && is_number(f)) && Some(f) != count.as_ref()).collect();
    // A page can't hold them all of an idea that is a text.
    if facts.len() <= KEPT { facts } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use render_core::format::Format;

    use super::*;

    #[test]
    fn formats_that_the_same_pages_serve_share_a_call() {
        let of = [
            ("instagram_post", None),
            ("instagram_story", None),
            ("linkedin_post", None),
            ("tiktok_carousel", Some(5)),
            ("instagram_carousel", Some(5)),
            ("linkedin_carousel", Some(6)),
        ]
        .map(|(id, slides)| (Format::by_id(id).unwrap().id, slides));
        let sets = sets(&of);
        assert_eq!(sets.iter().map(|s| s.formats.len()).sum::<usize>(), of.len());
        assert!((3..=4).contains(&sets.len()), "{}", sets.len());
    }

    #[test]
    fn pages_that_were_asked_for_again_take_their_places() {
        let texts: Vec<String> = ["<page>1</page>", "<page>2</page>", "<page>3</page>"].map(str::to_owned).to_vec();
        let said = "Sure:\n<page>b</page>";
        assert_eq!(merged(&texts, &[1], said), ["<page>1</page>", "<page>b</page>", "<page>3</page>"]);
        assert_eq!(merged(&texts, &[], said), ["<page>b</page>"]);
        assert_eq!(
            merged(&[], &[], "<page a=\"1\">x</page> <page>y</page>"),
            ["<page a=\"1\">x</page>", "<page>y</page>"]
        );
    }
}
