use super::*;
use crate::design::{Style, Template};
use crate::format::Format;
use crate::plan::specimens::specimen;
use crate::text::Fonts;

#[test]
fn alternatives_change_the_page_and_differ() {
    let fonts = Fonts::new();
    let format = Format::by_id("linkedin_carousel_portrait").expect("a format").id;
    let mut few = Vec::new();
    for template in ["point-lead", "list-grid", "cover-scene", "stat-poster"] {
        let Some(template) = Template::all().find(|t| t.name() == template) else { continue };
        let Some(page) = specimen(template, Style::BOLD, format, 3, &fonts) else { continue };
        let target = Target::new(&page, 1, None, &fonts);
        let targets = [target];
        for prompt in
            ["this is boring", "make it shorter", "it looks empty", "I don't like it", "paint the fence", "скучно"]
        {
            let done = propose(prompt, &targets, 0).map(|done| done.instruction).map_err(|unread| unread.reason);
            let found = alternatives(prompt, &targets, 0, done.as_deref().map_err(|why| *why));
            for Alternative { prompt: other, proposal } in &found {
                let again = propose(other, &targets, 0).expect("it was offered");
                assert_eq!(again.instruction, proposal.instruction);
                assert!(again.edited[0].composed.scene != targets[0].scene, "{prompt}: {other} changes nothing");
                assert!(done.as_ref() != Ok(&proposal.instruction));
            }
            if found.is_empty() || found.len() == 1 && !prompt.contains("shorter") {
                few.push(format!("{}: {prompt}: {}", template.name(), found.len()));
            }
        }
    }
    assert!(few.is_empty(), "{few:#?}");
}

#[test]
fn a_prompt_that_says_what_it_means_has_no_alternatives() {
    let fonts = Fonts::new();
    let format = Format::by_id("linkedin_post").expect("a format").id;
    let page = specimen(Template::named("point-lead"), Style::MODERN, format, 3, &fonts).expect("a specimen");
    let targets = [Target::new(&page, 1, None, &fonts)];
    let done = propose("make the headline bigger", &targets, 0).expect("it can be read");
    assert!(alternatives("make the headline bigger", &targets, 0, Ok(&done.instruction)).is_empty());
    assert!(alternatives("animate it", &targets, 0, Err(UnreadReason::NotPossible)).is_empty());
    let vague = propose("make it look more premium", &targets, 0).expect("it can be read");
    let others = alternatives("make it look more premium", &targets, 0, Ok(&vague.instruction));
    assert!((2..=MOST).contains(&others.len()), "{others:?}");
}
