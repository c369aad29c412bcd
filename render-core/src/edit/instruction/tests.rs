//! Printed instructions parse back to the same ops.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::parse::is_alone;
use super::{Instruction, Reach};
use crate::design::{Crop, LogoPlace, Part, Recipe, SlotId, Stand, Style, Template, Which};
use crate::edit::{Beside, Elements, Ground, Hue, ItemWords, Marking, Op, Reshape};
use crate::elements::VOCABULARY;
use crate::icon::Icon;
use crate::scene::Color;
use crate::text::{Align, Family};

fn slot() -> impl Strategy<Value = SlotId> {
    let n = 0..=254_u8;
    prop_oneof![
        select(vec![
            SlotId::Brand,
            SlotId::Kicker,
            SlotId::Title,
            SlotId::Body,
            SlotId::Value,
            SlotId::Unit,
            SlotId::Number,
            SlotId::Attribution,
            SlotId::Cta,
            SlotId::Handle,
        ]),
        n.clone().prop_map(SlotId::ItemHead),
        n.clone().prop_map(SlotId::ItemBody),
        n.clone().prop_map(SlotId::ItemLabel),
        n.clone().prop_map(SlotId::Group),
        (n.clone(), n).prop_map(|(i, c)| SlotId::Cell(i, c)),
    ]
}

fn which() -> impl Strategy<Value = Which> {
    // A text that is its whole part is printed as the part.
    let one = slot().prop_map(|slot| match Part::of(slot) {
        Some(part) if is_alone(slot) => Which::All(part),
        _ => Which::One(slot),
    });
    prop_oneof![select(Part::ALL.to_vec()).prop_map(Which::All), one]
}

fn colour() -> impl Strategy<Value = Color> {
    (0..=0xff_ff_ff_u32).prop_map(Color::hex)
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof!["\\PC{1,40}", "[“”\\\\;:,()\n a-z]{1,20}", Just("a (was b); set the headline to “c”".to_owned()),]
}

pub(in super::super) fn op() -> impl Strategy<Value = Op> {
    let item = (words(), proptest::option::of(words())).prop_map(|(head, body)| ItemWords { head, body });
    let icons: Vec<Option<Icon>> = [None].into_iter().chain(Icon::all().take(40).map(Some)).collect();
    prop_oneof![
        (slot(), prop_oneof![words(), Just(String::new())]).prop_map(|(slot, to)| Op::Words { slot, to }),
        (words(), words()).prop_map(|(from, to)| Op::Replace { from, to }),
        vec(item, 0..5).prop_map(Op::Items),
        (slot(), vec(words(), 0..3)).prop_map(|(slot, words)| Op::Stress { slot, words }),
        (which(), 4..=2_000_u16).prop_map(|(which, to)| Op::Size { which, to }),
        (select(Part::ALL.to_vec()), 100..=900_u16).prop_map(|(part, to)| Op::Weight { part, to }),
        (any::<bool>(), select(Family::ALL.to_vec())).prop_map(|(display, to)| Op::Face { display, to }),
        select(vec![Align::Start, Align::Center, Align::End]).prop_map(Op::Align),
        select(Stand::ALL.to_vec()).prop_map(Op::Stand),
        (select(Hue::ALL.to_vec()), colour()).prop_map(|(hue, to)| Op::Colour { hue, to }),
        (which(), colour()).prop_map(|(which, to)| Op::Ink { which, to }),
        select(Style::all().collect::<Vec<_>>()).prop_map(Op::Style),
        (1..=99_u8).prop_map(Op::Scheme),
        select(vec![Ground::Own, Ground::Accent, Ground::Close]).prop_map(Op::Ground),
        (select(Recipe::ALL.to_vec()), 1..=255_u8)
            .prop_map(|(recipe, variant)| Op::Art { recipe: Some(recipe), variant }),
        Just(Op::Art { recipe: None, variant: 1 }),
        vec(select(icons), 1..5).prop_map(Op::Icons),
        (select(Crop::ALL.to_vec()), 0..=100_u8, 0..=100_u8, 0..=90_u8).prop_map(|(crop, x, y, dim)| Op::Photo {
            shown: true,
            crop,
            focus: (x, y),
            dim
        }),
        ("[a-z]{1,8}", proptest::option::of("[0-9a-f]{64}"))
            .prop_map(|(name, key)| Op::Picture { url: format!("https://pages.example/{name}?a=“1”"), key }),
        Just(Op::Photo { shown: false, crop: Crop::Cover, focus: (50, 50), dim: 0 }),
        (select(LogoPlace::ALL.to_vec()), 40..=400_u16).prop_map(|(place, percent)| Op::Logo {
            shown: true,
            place,
            percent
        }),
        Just(Op::Logo { shown: false, place: LogoPlace::HeadStart, percent: 100 }),
        select(Template::all().collect::<Vec<_>>()).prop_map(Op::Layout),
        (50..=200_u16).prop_map(Op::Space),
        proptest::option::of(0..=254_u8).prop_map(Op::Highlight),
        any::<bool>().prop_map(Op::Counter),
        words().prop_map(Op::Drawing),
        reshape().prop_map(Op::Element),
    ]
}

fn reshape() -> impl Strategy<Value = Reshape> {
    let kinds: Vec<String> = VOCABULARY.0.iter().map(|element| element.name.to_owned()).collect();
    let which = prop_oneof![words().prop_map(Elements::One), select(kinds).prop_map(Elements::Every)];
    let names = ["radius", "fit", "letter-spacing", "turn"].map(str::to_owned).to_vec();
    let place = select(Beside::ALL.to_vec());
    prop_oneof![
        (which.clone(), select(names), words()).prop_map(|(to, name, value)| Reshape::Give { to, name, value }),
        which.prop_map(Reshape::Take),
        (words(), place.clone(), words()).prop_map(|(element, place, of)| Reshape::Put { element, place, of }),
        (words(), place, words()).prop_map(|(element, place, of)| Reshape::Move { element, place, of }),
        (words(), select(Marking::ALL.to_vec()), words()).prop_map(|(words, how, of)| Reshape::Mark { words, how, of }),
    ]
}

/// Keeps one op per key.
fn single(ops: Vec<Op>) -> Vec<Op> {
    let mut out: Vec<Op> = Vec::new();
    for op in ops {
        if op.key().is_none_or(|key| out.iter().all(|said| said.key().as_ref() != Some(&key))) {
            out.push(op);
        }
    }
    out
}

fn reach() -> impl Strategy<Value = Reach> {
    prop_oneof![any::<u32>().prop_map(Reach::One), vec(any::<u32>(), 1..9).prop_map(Reach::All)]
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(reach in reach(), ops in vec(op(), 1..6), was in proptest::option::of(words())) {
        let instruction = Instruction { reach, ops: single(ops) };
        let was = was.map(|w| super::quoted(&w));
        let text = instruction.print(|_| was.clone());
        prop_assert_eq!(Instruction::parse(&text), Ok(instruction), "{}", text);
    }

    #[test]
    fn any_words_are_an_instruction_or_an_error(text in "\\PC{0,200}") {
        let _ = Instruction::parse(&text);
        let _ = Instruction::parse_clauses(&text);
    }

    #[test]
    fn cut_and_changed_instructions_are_read_or_refused(ops in vec(op(), 1..4), at: prop::sample::Index, with: char) {
        let text = Instruction { reach: Reach::One(3), ops: single(ops) }.print(|_| None);
        let mut chars: Vec<char> = text.chars().collect();
        let at = at.index(chars.len());
        let cut: String = chars.iter().take(at).collect();
        let _ = Instruction::parse(&cut);
        chars[at] = with;
        // If the changed text is still an instruction, it prints and parses back.
        if let Ok(read) = Instruction::parse(&chars.iter().collect::<String>()) {
            let text = read.print(|_| None);
            prop_assert_eq!(Instruction::parse(&text), Ok(read));
        }
    }
}

#[test]
fn instructions_are_english() {
    let ops = vec![
        Op::Size { which: Which::All(Part::Headline), to: 150 },
        Op::Items(vec![
            ItemWords { head: "Mulch first".into(), body: None },
            ItemWords { head: "Water at “dawn”".into(), body: Some("Before six.".into()) },
        ]),
    ];
    let instruction = Instruction { reach: Reach::One(3), ops };
    let was = |op: &Op| matches!(op, Op::Size { .. }).then(|| "120".to_owned());
    let text = instruction.print(was);
    assert_eq!(
        text,
        "On version 3: set the headline size to 150 (was 120); \
         set the points to “Mulch first”, “Water at \\“dawn\\”” with “Before six.”"
    );
    assert_eq!(Instruction::parse(&text), Ok(instruction));
}

#[test]
fn what_is_outside_the_grammar_is_named() {
    for (text, at) in [
        ("make it pop", "make it pop"),
        ("On version 3: make it pop", "make it pop"),
        ("On version 3: set the headline size to 3", "3"),
        ("On version 3: set the headline to “”", "“”"),
        ("On version 3: set the headline to “a", "“a"),
        ("On version 3: set the headline to “a” please", " please"),
        ("On version 3: set the icons to nothing-at-all", "nothing-at-all"),
        ("On version 3: highlight point 0", "0"),
        ("On version 99999999999: remove the art", "99999999999: remove the art"),
        ("On version 3: remove the art; remove the art", "remove the art"),
        ("", ""),
    ] {
        assert_eq!(Instruction::parse(text).unwrap_err().at, at, "{text}");
    }
}
