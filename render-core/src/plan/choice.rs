//! Chooses the templates to try for a page: those whose headers match its content, scored by fit, by the style's
//! preference, by difference from the page before, and by a seeded tie-break, so that another seed gives another page.

use std::sync::LazyLock;

use minijinja::{Environment, Expression, Value};

use super::facts::{Around, facts};
use crate::design::{Style, Template, dealt, drawn_for};
use crate::format::Format;
use crate::outline::PageOutline;

/// How a page's neighbours and surroundings affect its look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    /// The templates of the pages before, in order.
    pub before: &'a [Template],
    /// Content beside the words, and the seed.
    pub around: Around,
}

/// Weights of a choice: fit, the style's preference, the penalty for repeating the template of the page before, chance.
const FIT: f32 = 1.0;
const TASTE: f32 = 0.6;
const REPEATED: f32 = 3.0;
/// Bonus of a template that shows the page's photograph, and penalty for using it twice in a row.
const SHOWN: f32 = 1.5;
const SHOWN_AGAIN: f32 = 0.5;
/// Penalty for each earlier page with the same template.
const USED: f32 = 0.35;
const CHANCE: f32 = 0.3;
/// Templates within this distance of the best count as equally good; the number of the random stream that picks one of
/// them.
const ALIKE: f32 = 0.13;
const TURNS: u64 = 12;

static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(Environment::new);

/// The conditions of each template's uses, parsed once.
static CONDITIONS: LazyLock<Vec<Vec<Condition>>> = LazyLock::new(|| {
    let read = |template: Template| -> Vec<Condition> {
        let uses = template.header().uses.iter();
        let condition = |when: &'static str| {
            let read = ENVIRONMENT.compile_expression(when);
            debug_assert!(read.is_ok(), "{}: {when}: {:?}", template.name(), read.as_ref().err());
            read.ok()
        };
        // A condition that can't be parsed holds for no page.
        let read = uses.filter_map(|used| match &used.when {
            None => Some(Condition { when: None, score: used.score }),
            Some(when) => condition(when).map(|when| Condition { when: Some(when), score: used.score }),
        });
        read.collect()
    };
    Template::all().map(read).collect()
});

struct Condition {
    when: Option<Expression<'static, 'static>>,
    score: f32,
}

/// Returns the templates that can show a page in a format, with their scores, best first.
pub(super) fn templates(
    said: &PageOutline,
    format: &Format,
    style: Style,
    context: Context<'_>,
) -> Vec<(Template, f32)> {
    let facts = facts(said, format, context.around);
    let mut out: Vec<(Template, f32)> = Template::all()
        .filter(|t| t.kinds().contains(&said.kind) && style.uses(*t))
        .filter_map(|t| {
            let fit = score(t, &facts)?;
            let shown = context.around.photo.is_some() && t.shows_photo();
            let again = if shown { SHOWN_AGAIN } else { REPEATED };
            let repeated = if context.before.last() == Some(&t) { again } else { 0.0 };
            let fit = fit + if shown { SHOWN } else { 0.0 };
            let used = context.before.iter().filter(|before| **before == t).count() as f32;
            Some((t, FIT * fit + TASTE * style.likes(t) - repeated - USED * used))
        })
        .collect();
    // The seed picks one of the templates that are about equally good.
    let seed = context.around.seed;
    let best = out.iter().map(|(_, score)| *score).fold(f32::MIN, f32::max);
    let alike: Vec<Template> = out.iter().filter(|(_, score)| *score >= best - ALIKE).map(|(t, _)| *t).collect();
    let turn = alike.get(dealt(seed, alike.len(), TURNS)).copied();
    for (template, score) in &mut out {
        *score += CHANCE * if turn == Some(*template) { 1.0 } else { 0.5 * chance(*template, seed) };
    }
    out.sort_by(|a, b| b.1.total_cmp(&a.1));
    out
}

/// Returns how well a template suits a page's content, 0–1; `None` if it can't show it.
pub(super) fn fit(template: Template, said: &PageOutline, format: &Format, around: Around) -> Option<f32> {
    template.kinds().contains(&said.kind).then(|| score(template, &facts(said, format, around))).flatten()
}

/// Returns the score of the first use whose condition holds. A score below 0 rules a template out.
fn score(template: Template, facts: &Value) -> Option<f32> {
    let holds = |when: &Expression<'_, '_>| {
        let value = when.eval(facts.clone());
        debug_assert!(value.is_ok(), "{}: {:?}", template.name(), value.as_ref().err());
        value.is_ok_and(|v| v.is_true())
    };
    let uses = CONDITIONS.get(template.index())?;
    uses.iter().find(|used| used.when.as_ref().is_none_or(holds)).map(|used| used.score).filter(|score| *score >= 0.0)
}

/// Returns a number in 0–1 that only depends on the seed and the template.
fn chance(template: Template, seed: u64) -> f32 {
    (drawn_for(seed, template.name()) >> 40) as f32 / (1_u64 << 24) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::{Copy, ItemCopy, PageKind};

    fn copy(text: &str) -> Copy {
        Copy { wordings: vec![text.to_owned()], span: None }
    }

    fn page(kind: PageKind, title: &str, heads: &[&str]) -> PageOutline {
        let items = heads.iter().map(|h| ItemCopy::new(copy(h), None)).collect();
        PageOutline { title: Some(copy(title)), items, ..PageOutline::blank(kind, 0.8) }
    }

    /// Returns the templates of covers that suit a title in English, regardless of style.
    fn covers(title: &str, around: Around) -> Vec<&'static str> {
        let format = Format::by_id("instagram_carousel").expect("in the catalogue");
        let said = page(PageKind::Cover, title, &[]);
        let around = Around { language: "en", ..around };
        Template::all().filter(|t| fit(*t, &said, format, around).is_some()).map(Template::name).collect()
    }

    #[test]
    fn a_cover_suits_what_its_title_promises() {
        let promising = ["cover-count", "cover-figure", "cover-question", "cover-versus"];
        for (title, suits) in [
            ("7 ways to mend a fence", Some("cover-count")),
            ("Six ways to mend a fence", Some("cover-count")),
            ("How we saved 40 % of our paint", Some("cover-figure")),
            ("Does a fence need paint?", Some("cover-question")),
            ("Paint vs. oil", Some("cover-versus")),
            ("A fence for life", None),
        ] {
            let found: Vec<&str> =
                covers(title, Around::default()).into_iter().filter(|name| promising.contains(name)).collect();
            assert_eq!(found, suits.into_iter().collect::<Vec<_>>(), "{title}");
        }
    }

    #[test]
    fn covers_of_pictures_want_one_and_columns_keep_to_theirs() {
        let title = "A fence for life";
        let with = |around: Around| covers(title, around);
        assert!(!with(Around::default()).contains(&"cover-medallion"));
        assert!(with(Around { picture: true, ..Around::default() }).contains(&"cover-medallion"));
        assert_eq!(with(Around { columns: true, ..Around::default() }), ["cover-type"]);
    }

    #[test]
    fn a_title_without_a_promise_has_many_covers() {
        for style in Style::all() {
            let suits = covers("A fence for life", Around::default());
            let used = suits.iter().filter(|name| style.uses(Template::named(name))).count();
            assert!(used >= 7, "{}: {used}", style.name());
        }
    }

    fn fits(template: &str, said: &PageOutline, id: &str) -> Option<f32> {
        let format = Format::by_id(id).expect("in the catalogue");
        fit(Template::named(template), said, format, Around::default())
    }

    #[test]
    fn every_condition_can_be_read_and_names_facts_that_exist() {
        let said = page(PageKind::List, "A list", &["One", "Two"]);
        let format = Format::by_id("instagram_post").expect("in the catalogue");
        let facts = facts(&said, format, Around::default());
        let known: Vec<String> = facts.try_iter().expect("a map").map(|k| k.to_string()).collect();
        for template in Template::all() {
            assert_eq!(CONDITIONS[template.index()].len(), template.header().uses.len(), "{template:?}");
            for when in CONDITIONS[template.index()].iter().filter_map(|c| c.when.as_ref()) {
                for name in when.undeclared_variables(false) {
                    assert!(known.contains(&name), "{template:?}: there is no fact {name}");
                }
            }
        }
    }

    #[test]
    fn a_cycle_is_one_that_is_said_to_be() {
        let round = page(PageKind::Process, "The water cycle", &["Rain", "Rivers", "Seas"]);
        let straight = page(PageKind::Process, "Never lose a file again", &["Name it", "Date it", "Keep it"]);
        let returns = page(PageKind::Process, "A calm desk", &["Clear it", "Work", "Start over"]);
        assert!(fits("cycle", &round, "instagram_post").is_some());
        assert!(fits("cycle", &straight, "instagram_post").is_none());
        assert!(fits("cycle", &returns, "instagram_post").is_some());
        assert!(fits("cycle", &round, "ad_leaderboard").is_none());
    }

    #[test]
    fn a_list_of_imperatives_can_be_ticked_off() {
        let told = page(PageKind::List, "Before you go", &["Turn it off", "Take the keys", "Lock up", "Send a note"]);
        let named = page(PageKind::List, "In the box", &["A lamp", "Two keys", "One cable", "A note"]);
        assert!(fits("checklist", &told, "instagram_post").is_some());
        assert!(fits("checklist", &named, "instagram_post").is_none());
    }

    #[test]
    fn a_funnel_falls() {
        let with = |numbers: &[f64]| {
            let item = |n: &f64| ItemCopy {
                numbers: vec![*n],
                cells: vec![copy(&n.to_string())],
                ..ItemCopy::new(copy("Stage"), None)
            };
            PageOutline { items: numbers.iter().map(item).collect(), ..page(PageKind::Series, "Sales", &[]) }
        };
        assert!(fits("funnel", &with(&[90.0, 40.0, 12.0]), "instagram_post").is_some());
        for numbers in
            [&[90.0, 40.0, 40.0][..], &[12.0, 40.0, 90.0], &[90.0, 40.0], &[90_000.0, 40.0, 1.0], &[9.0, 2.0, -1.0]]
        {
            assert!(fits("funnel", &with(numbers), "instagram_post").is_none(), "{numbers:?}");
        }
    }

    #[test]
    fn what_runs_along_the_lines_needs_them() {
        let said = page(PageKind::Timeline, "A year", &["March", "May", "July"]);
        assert!(fits("timeline-h", &said, "instagram_post").is_none());
        assert!(fits("timeline-v", &said, "ad_leaderboard").is_none());
        assert!(fits("timeline-h", &said, "ad_leaderboard").is_some());
    }
}
