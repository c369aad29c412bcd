//! The closing page of a set: a summary, a question, and the call to action.

use super::material::{Material, Topic};
use super::{Copy, ItemCopy, PageKind, PageOutline, labels, wording};
use crate::content::{Sourced, Subject, is_courtesy, segment, stands_alone, words};

/// Most lines of a recap of counted points, most lines of others, and the number of lines that is
/// enough for a recap.
const MOST: usize = 8;
const CHOSEN: usize = 6;
const SEVERAL: usize = 3;
/// Most characters of a line that is read at a glance.
const LINE: usize = 90;
/// Most characters of a question that closes a set, and its fewest words.
const ASKED: usize = 90;
const WORDS: usize = 4;
/// Number of points at the end of a source in which its closing question must stand.
const LAST: usize = 2;

/// Returns a page with the heads of the points for which `says` holds, or an event's facts, and the
/// call to action. A question that the source asks its readers is the headline. Returns `None` if
/// there are fewer than two lines and no call to action.
pub(super) fn page(material: &Material<'_>, says: impl Fn(usize) -> bool) -> Option<PageOutline> {
    let (topics, tone) = (&material.topics, material.tone());
    // With too many points for a recap, the best are kept in order; of a counted list, the first.
    let mut order: Vec<usize> = (0..topics.len()).collect();
    if !material.counts() {
        order.sort_by(|a, b| topics[*b].score.total_cmp(&topics[*a].score));
    }
    let short = |i: &usize| {
        let head = topics[*i].point.head.text.as_str();
        head.chars().count() <= LINE && !words::opens_with(INVITES, head)
    };
    order.retain(|i| material.counts() || tone.exact || says(*i) && short(i));
    // "You did it!" and questions summarise nothing.
    let states = |i: &usize| !topics[*i].point.head.text.trim_end().ends_with(['!', '！', '?', '？', '؟']);
    if !tone.exact && !material.counts() && order.iter().filter(|i| states(i)).count() >= SEVERAL {
        order.retain(states);
    }
    // Counted points are summarised all or not at all.
    if material.counts() && !tone.exact && order.len() > MOST {
        order.clear();
    }
    // All lines are kept if they fit: a summary that lacks one of seven points looks like a mistake.
    order.truncate(if material.counts() || tone.exact || order.len() <= MOST { MOST } else { CHOSEN });
    order.sort_unstable();
    let lines = order.iter().map(|i| &topics[*i]).filter_map(|t| wording::line(t.label, &t.point.head, tone));
    let lines: Vec<ItemCopy> = lines.collect();
    // Readers need the date and place of an event.
    let event = material.document.announcement().filter(|a| a.subject == Subject::Event && !tone.exact);
    let facts = event
        .map(|a| a.main_facts().take(MOST).filter_map(|f| wording::line(None, &f.words, tone)).collect::<Vec<_>>());
    let items = facts.filter(|facts| facts.len() >= 2).unwrap_or(lines);
    let name = Copy { wordings: vec![labels::recap(material.language()).to_owned()], span: None };
    let (title, groups) = match question(material) {
        Some(question) if !items.is_empty() => (question, vec![name]),
        Some(question) => (question, Vec::new()),
        None => (name, Vec::new()),
    };
    (items.len() >= 2 || material.call().is_some()).then(|| PageOutline {
        kicker: material.kicker(),
        title: Some(title),
        items,
        groups,
        cta: material.call(),
        ..PageOutline::blank(PageKind::Recap, 0.7)
    })
}

/// Returns the question that the source asks its readers near its end.
fn question(material: &Material<'_>) -> Option<Copy> {
    if material.tone().exact || material.document.announcement().is_some() {
        return None;
    }
    let mut last: Vec<&Topic<'_>> = material.topics.iter().chain(&material.asides).collect();
    last.sort_by_key(|topic| std::cmp::Reverse(topic.point.head.span.start));
    let lexicon = words::of(material.language().primary());
    let asks = |words: &&Sourced| {
        let text = words.text.trim_end();
        let addressed = segment::words_of(text).iter().any(|word| words::has(READERS, word));
        text.ends_with(['?', '？', '؟'])
            && text.matches(['?', '？', '؟', '.', '!']).count() == 1
            && text.chars().count() <= ASKED
            && segment::count_words(text) >= WORDS
            && addressed
            && !is_courtesy(text)
            && stands_alone(text, lexicon)
    };
    let said = last.into_iter().take(LAST).flat_map(|topic| topic.point.sentences());
    let asked = said.filter(asks).max_by_key(|words| words.span.start)?;
    wording::copy(vec![asked.text.trim().to_owned()], Some(asked.span))
}

/// Openings of headings that invite, thank or look ahead, in any language, separated by `|`: they summarise nothing.
const INVITES: &str = "how to learn more|learn more|want to learn more|want to help|work with us|join our team|get involved|getting involved|how to get involved|\
    how you can help|join us|contact us|get in touch|thank you|thanks|what's next|what’s next|what comes next|next steps|\
    coming up|coming next|looking ahead|looking forward|the road ahead|moving forward|mehr erfahren|mitmachen|mach mit|\
    machen sie mit|kontakt|danke|wie geht es weiter|wie es weitergeht|nächste schritte|en savoir plus|participer|merci|\
    et maintenant|prochaines étapes|más información|participa|gracias|próximos pasos|qué sigue|saiba mais|participe|\
    obrigado|próximos passos|per saperne di più|partecipa|grazie|prossimi passi|meer weten|doe mee|bedankt|volgende stappen|\
    узнать больше|спасибо|что дальше|dowiedz się więcej|dziękujemy|co dalej|詳細はこちら|参加する|次のステップ|了解更多|\
    参与进来|感谢|下一步";

/// Words that address readers, in lower case.
const READERS: &str = "you your yours yourself du dein deine deinen deinem ihr euer eure ihre ihnen vous votre vos tu ton \
    tes usted ustedes tú tus você vocês lei voi tuo vostro je jouw jullie u uw din ditt dina ni er sinä sinun ty twój \
    вы ваш ваша ваши ты твой ви ваші siz sizin sen あなた 你 您 당신 आप آپ أنت أنتم אתה";

#[cfg(test)]
mod tests {
    use crate::content::read_text;
    use crate::format::Format;
    use crate::outline::{PageKind, Request, outline};

    const TEXT: &str = "# Gardens that drink less\n\n## Water at dawn\n\nThe soil is cool at dawn and keeps what it gets.\n\n\
        ## Mulch the beds\n\nFive centimetres of bark halve what the sun takes from a bed.\n\n\
        ## Let the lawn go gold\n\nGrass sleeps through a dry summer and wakes with the rain. ";

    fn closing(text: &str) -> (String, Vec<String>) {
        let document = read_text(text).unwrap();
        let format = Format::by_id("linkedin_carousel").unwrap();
        let set = outline(&Request { document: &document, format, slides: Some(5) }).unwrap().remove(0);
        let page = set.pages.last().unwrap();
        assert_eq!(page.kind, PageKind::Recap);
        let first = |copy: &crate::outline::Copy| copy.wordings[0].clone();
        (first(page.title.as_ref().unwrap()), page.groups.iter().map(first).collect())
    }

    #[test]
    fn a_recap_names_every_point_but_invitations() {
        let section = |head: &str| {
            let does = head.to_lowercase();
            format!(
                "\n\n## {head}\n\nThat the crew learns to {does} takes a summer, because each boat needs it in its way."
            )
        };
        let heads = [
            "Count the boats at dawn",
            "Dry the ropes on a wall",
            "Write down who rows",
            "Lend the small boats",
            "Paint the hulls in May",
            "Keep the lamp lit",
            "Teach the children knots",
            "How to learn more about us",
        ];
        let text = format!("# Seven habits of a harbour\n\nA harbour lives by habits.{}", heads.map(section).concat());
        let document = read_text(&text).unwrap();
        let format = Format::by_id("linkedin_carousel").unwrap();
        let set = outline(&Request { document: &document, format, slides: Some(10) }).unwrap().remove(0);
        let page = set.pages.last().unwrap();
        assert_eq!(page.kind, PageKind::Recap);
        let lines: Vec<&str> = page.items.iter().map(|item| item.head.wordings[0].as_str()).collect();
        assert_eq!(lines, heads[..7]);
    }

    #[test]
    fn a_question_to_the_readers_heads_the_recap() {
        let asked = format!("{TEXT}Which bed would you mulch first?\n");
        assert_eq!(closing(&asked), ("Which bed would you mulch first?".into(), vec!["Recap".into()]));
        // Other questions may be answered in the text.
        let rhetorical = format!("{TEXT}What does it cost? Nothing at all.\n");
        assert_eq!(closing(&rhetorical), ("Recap".into(), Vec::new()));
    }
}
