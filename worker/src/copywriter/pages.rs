//! Writes the pages of an order: a brief, then the pages of each set of formats, checked and corrected.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use fleet::llm::{Budget, Call, LlmError, Role, Said, Turn};
use futures::future::join_all;
use render_core::author::{self, Commission, Fault, Licence, Reading};
use render_core::content::{Evidence, Idea, without_pictures};
use render_core::format::{Density, FormatId, Purpose};
use render_core::outline::{Locale, Outline, facts};
use render_core::plan::{self, PlanRequest};

use super::brief::{self, Brief};
use super::look::Open;
use super::{Cause, Copywriter, KEPT, MOST_TOKENS, Order, Written, clipped, prompt};
use crate::metrics::{COPY, COPY_SECONDS};

/// Times that a model is asked for one set of pages: once, and twice more to correct them.
const ROUNDS: usize = 3;
/// Times that a truncated answer is continued.
const CONTINUED: usize = 3;
/// Token limit of an answer: a base, and an amount per page. Models that reason first need more than the pages.
const TOKENS: (u32, u32) = (4_000, 1_200);

/// Formats that share pages: the same count, purpose and reading distance.
pub(super) struct Set {
    pub formats: Vec<FormatId>,
    pub slides: Option<u32>,
    purpose: Purpose,
    density: Density,
}

/// The result of checking an answer.
pub(super) struct Judged {
    pub outline: Outline,
    /// What is wrong with it.
    pub faults: Vec<Fault>,
    /// The pages that the faults concern; empty if they concern the whole set.
    pub pages: Vec<usize>,
}

/// One set of pages that is being written.
pub(super) struct Task<'a> {
    pub order: &'a Order<'a>,
    pub set: &'a Set,
    pub commission: Commission<'a>,
    pub brief: Option<&'a Brief>,
    pub budget: &'a Budget,
    pub max_tokens: u32,
}

impl Copywriter {
    /// Writes outlines for all formats of an order.
    pub(crate) async fn write(&self, order: &Order<'_>) -> Written {
        let budget = Budget::within(self.spending.time, self.spending.tokens, order.allowance);
        let sets = sets(order.formats);
        // The evidence covers the source both as it was read and as it is written: Markdown escapes its special
        // characters with a backslash.
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
                return Written { missing, ..Written::default() };
            }
        };
        let open = Open::of(order);
        let look = brief.as_ref().map_or(order.look, |brief| open.settled(order, &brief.look));
        let order = &Order { look, ..*order };
        let asked = sets.iter().map(|set| {
            self.write_set(Task {
                order,
                set,
                commission: commission(order, &evidence, set),
                brief: brief.as_ref(),
                budget: &budget,
                max_tokens: tokens(TOKENS, set.slides.unwrap_or(1)),
            })
        });
        let mut out = Written::default();
        for (set, written) in sets.iter().zip(join_all(asked).await) {
            match written {
                Ok(outline) => out.outlines.extend(set.formats.iter().map(|format| (*format, outline.clone()))),
                Err(cause) => out.missing.extend(set.formats.iter().map(|format| (*format, cause.clone()))),
            }
        }
        out.look = (!out.outlines.is_empty()).then_some(look);
        out
    }

    /// Asks for the brief of an order's longest carousel, or of its image. Returns `None` if the model wrote none, or
    /// for an image whose look is decided.
    async fn brief(&self, order: &Order<'_>, sets: &[Set], budget: &Budget) -> Result<Option<Brief>, LlmError> {
        let open = Open::of(order);
        let slides = sets.iter().filter_map(|set| set.slides).max();
        let Some(pages) = slides.or_else(|| open.any().then_some(1)) else { return Ok(None) };
        let schema = brief::schema(pages as usize, open);
        let turns = brief::turns(order, pages as usize);
        let max_tokens = tokens(brief::TOKENS, pages);
        let call = Call { turns: &turns, form: Some(brief::form(&schema)), max_tokens, seed: order.seed };
        match self.ask(call, budget).await.and_then(Said::complete) {
            Ok(said) => Ok(brief::read(&said)),
            // A model that wrote too much or declined may still compose pages.
            Err(LlmError::CutOff | LlmError::Declined) => Ok(None),
            Err(error) => {
                tracing::warn!(%error, "brief failed: no answer from the language model");
                Err(error)
            }
        }
    }

    async fn write_set(&self, task: Task<'_>) -> Result<Outline, Cause> {
        let began = Instant::now();
        let (outcome, name) = self.rounds(&task).await;
        metrics::counter!(COPY, "outcome" => name).increment(1);
        metrics::histogram!(COPY_SECONDS).record(began.elapsed().as_secs_f64());
        outcome
    }

    /// Asks for a set until it has no faults; otherwise returns the usable part of the best answer that has pages.
    async fn rounds(&self, task: &Task<'_>) -> (Result<Outline, Cause>, &'static str) {
        let Some(format) = task.set.formats.first() else { return (Err(Cause::Invalid), Cause::Invalid.name()) };
        let mut turns = prompt::turns(task.order, &task.commission, *format, task.brief);
        let mut best: Option<(Judged, Vec<String>)> = None;
        // The current pages, and those that were requested again.
        let (mut texts, mut concerned): (Vec<String>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut failure = Cause::Invalid;
        let mut name = "salvaged";
        let mut proved = false;
        for round in 0..ROUNDS {
            let wanted = if concerned.is_empty() { task.commission.pages() } else { concerned.len() };
            let said = match self.answer(task, &turns, wanted).await {
                Ok(said) => said,
                Err(error) => {
                    tracing::warn!(%error, round, "page writing failed: no answer from the language model");
                    failure = Cause::Silent(error);
                    break;
                }
            };
            texts = merged(&texts, &concerned, &said);
            let judged = judge(task, &texts.join("\n"));
            let faults = match judged {
                Ok(judged) if judged.faults.is_empty() => {
                    name = if round == 0 { "written" } else { "mended" };
                    best = Some((judged, texts.clone()));
                    // An idea has no source to check against, and faults found in the last round could not be
                    // corrected.
                    let checks = !proved && task.order.idea.is_none() && round + 1 < ROUNDS;
                    proved = true;
                    let found = if checks { self.proof(task, &texts).await } else { Vec::new() };
                    if found.is_empty() {
                        break;
                    }
                    concerned = pages_of(&found);
                    found
                }
                Ok(judged) => {
                    let faults = judged.faults.clone();
                    concerned.clone_from(&judged.pages);
                    // With equal faults, the newer answer is better, because it contains corrections.
                    if best.as_ref().is_none_or(|(best, _)| faults.len() <= best.faults.len()) {
                        best = Some((judged, texts.clone()));
                    }
                    faults
                }
                Err(faults) => {
                    let whole = texts.len() != task.commission.pages();
                    concerned = if whole { Vec::new() } else { pages_of(&faults) };
                    faults
                }
            };
            tracing::info!(round, faults = faults.len(), "pages of the language model have faults");
            turns.push(Turn::new(Role::Assistant, clipped(&said)));
            turns.push(Turn::new(Role::User, prompt::mend(&faults, &concerned)));
        }
        match best {
            Some((judged, texts)) if self.sees => (Ok(self.reviewed(task, judged, &texts).await), name),
            Some((judged, _)) => (Ok(judged.outline), name),
            None => {
                let name = failure.name();
                (Err(failure), name)
            }
        }
    }

    /// Returns the answer to `turns`, of `wanted` pages. An answer that is cut off after a complete page is continued
    /// from there; if that fails, the complete pages are the answer.
    async fn answer(&self, task: &Task<'_>, turns: &[Turn], wanted: usize) -> Result<String, LlmError> {
        let mut turns = turns.to_vec();
        let mut written = String::new();
        for _ in 0..=CONTINUED {
            let call = Call { turns: &turns, form: None, max_tokens: task.max_tokens, seed: task.order.seed };
            let said = match self.ask(call, task.budget).await {
                Ok(said) if said.whole && written.is_empty() => return Ok(said.text),
                // Text around the pages of a continued answer, such as thoughts, would hide the pages before it.
                Ok(said) if said.whole => return Ok(written + &author::pages(&said.text).join("\n")),
                Ok(said) => author::pages(&said.text).join("\n"),
                Err(_) if !written.is_empty() => return Ok(written),
                Err(error) => return Err(error),
            };
            if said.is_empty() {
                break;
            }
            written += &said;
            written.push('\n');
            let done = author::pages(&written).len();
            if done >= wanted {
                break;
            }
            tracing::info!(done, wanted, "continuing an answer of the language model that was cut off");
            turns.push(Turn::new(Role::Assistant, said));
            turns.push(Turn::new(Role::User, prompt::go_on(done, wanted)));
        }
        if written.is_empty() { Err(LlmError::CutOff) } else { Ok(written) }
    }
}

/// Checks the content of an answer, and how its pages fit each of the formats.
pub(super) fn judge(task: &Task<'_>, answer: &str) -> Result<Judged, Vec<Fault>> {
    let Reading { outline, faults } = task.commission.read(answer)?;
    let mut all = faults;
    let request = request(task.order, task.set, &[]);
    for (nth, format) in task.set.formats.iter().enumerate() {
        for (index, found) in plan::faults(&request, *format, &outline, task.order.fonts) {
            let faults = found.iter().map(|fault| Fault::of_page(index, fault, &outline.pages[index]));
            all.extend(faults.map(|fault| if nth == 0 { fault } else { fault.within(format.format()) }));
        }
    }
    Ok(Judged { outline, pages: pages_of(&all), faults: all })
}

/// Returns the pages that faults concern, in order; empty if one of them concerns the whole set.
fn pages_of(faults: &[Fault]) -> Vec<usize> {
    let pages: Option<BTreeSet<usize>> = faults.iter().map(Fault::page).collect();
    pages.unwrap_or_default().into_iter().collect()
}

/// Returns the plan request for the pages of a set.
pub(super) fn request<'a>(order: &Order<'a>, set: &Set, written: &'a [(FormatId, Outline)]) -> PlanRequest<'a> {
    PlanRequest {
        document: order.document,
        locale: Locale { language: order.language.clone(), direction: order.language.direction() },
        formats: set.formats.iter().map(|format| (*format, set.slides)).collect(),
        style: order.look.style,
        seed: order.seed,
        written,
        photo: order.photo,
        pictures: order.pictures,
        brand: order.brand,
        scheme: order.look.scheme,
    }
}

/// Returns the pages of a set after an answer: the requested pages replace the previous ones, or the answer replaces
/// all.
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

/// Groups the formats of an order that can share pages.
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

/// Returns the facts of an idea that its pages must contain, because a reader would act on them. In another language
/// numbers may be written differently; codes and addresses are not.
fn kept(idea: &Idea, source: &str, translated: bool) -> Vec<String> {
    // The count is checked by counting the things themselves.
    let count = idea.count.map(|n| n.to_string());
    let is_number = |fact: &String| fact.chars().all(|c| !c.is_alphabetic());
    let facts: Vec<String> =
        facts(source).into_iter().filter(|f| !(translated && is_number(f)) && Some(f) != count.as_ref()).collect();
    // An idea that is a whole text has too many facts for a page.
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
