use proptest::prelude::*;

use super::*;

fn of(text: &str, code: &str) -> Vec<(Stat, f32)> {
    let mut clean = Clean::default();
    clean.push(text, 0..text.len());
    let clean = clean.finish();
    stats(&clean, 0..clean.text.len(), words::of(code))
}

fn first(text: &str, code: &str) -> (String, String, f64, String) {
    let (s, _) = of(text, code).remove(0);
    (s.value, s.unit, s.number, s.label.text)
}

fn want(value: &str, unit: &str, number: f64, label: &str) -> (String, String, f64, String) {
    (value.into(), unit.into(), number, label.into())
}

#[test]
fn reads_figures() {
    assert_eq!(first("63% of teams skip lunch.", "en"), want("63", "%", 63.0, "of teams skip lunch"));
    assert_eq!(
        first("Energy use fell by 31 % within a year.", "en"),
        want("31", "%", 31.0, "Energy use fell within a year")
    );
    assert_eq!(first("Sales rose by 1.2 million.", "en"), want("1.2", "million", 1.2e6, "Sales rose"));
    assert_eq!(first("The repair café saved $4,200 in one year.", "en").2, 4200.0);
    assert_eq!(first("3 in 4 gardens lose topsoil.", "en"), want("3 in 4", "", 0.75, "gardens lose topsoil"));
    assert_eq!(first("Moss grows 3x faster in shade.", "en").1, "×");
    assert_eq!(first("18 hours a week go to meetings.", "en").3, "hours a week go to meetings");
    assert_eq!(first("Der Verbrauch sank um 12,5 %.", "de"), want("12,5", "%", 12.5, "Der Verbrauch sank"));
    assert_eq!(first("Das kostet 1.200 Euro im Jahr.", "de").2, 1200.0);
}

#[test]
fn keeps_what_changes_the_sense() {
    // "fell to" is not "fell by".
    assert_eq!(first("Energy use fell to 31 % of the old level.", "en").3, "Energy use fell to 31 % of the old level");
    let (stat, _) = of("In a survey of 412 remote teams by the Tide Lab, 63 % said meetings run long.", "en").remove(0);
    assert_eq!(stat.value, "63");
    assert_eq!(stat.source.unwrap().text, "survey of 412 remote teams by the Tide Lab");
    let (stat, _) =
        of("Half the beds stayed dry, and 40 % of the water was saved, according to the allotment club.", "en")
            .remove(0);
    assert_eq!(stat.source.unwrap().text, "the allotment club");
}

#[test]
fn years_dates_and_serials_are_no_figures() {
    for text in [
        "It began in 1998 in Leeds.",
        "Version 2.1 came on 3 May 2024.",
        "Call 0171 555 0199 today.",
        "See page 12 of the report.",
        "Meet at 10:30 in room 5.",
        "Between 10–15 % of it is lost.",
        "Is 40 % enough for you?",
    ] {
        assert_eq!(of(text, "en"), [], "{text}");
    }
}

proptest! {
    #[test]
    fn reads_anything(text in "([0-9]{1,4}|[.,%$€x –-]|in|of| million| hours|[a-z]{1,5}|\\PC){0,30}") {
        for code in ["en", "de", "ru", ""] {
            for (stat, score) in of(&text, code) {
                prop_assert!((0.0..=1.0).contains(&score));
                prop_assert!(stat.number.is_finite());
            }
        }
    }
}

#[test]
fn figures_that_a_text_supposes_denies_or_mentions_in_passing_are_worth_less() {
    let score = |text: &str, code: &str| of(text, code)[0].1;
    let plain = score("The change cut costs by 40 %.", "en");
    for (text, code) in [
        ("If the change cuts costs by 40 %, they stay.", "en"),
        ("Imagine that the change cut costs by 40 %.", "en"),
        ("The change did not cost 40 % of anything.", "en"),
        ("The change (40 % of the team was new) cut costs.", "en"),
        ("Angenommen, die Kosten sinken um 40 %.", "de"),
    ] {
        assert!(score(text, code) < plain - 0.2, "{text}");
    }
    // The negation applies to something else.
    assert!(score("Without a plan, 40 % of teams do not finish.", "en") > 0.6);
}

#[test]
fn bounds_and_single_prices_are_doubtful() {
    let score = |text: &str| of(text, "en").first().map_or(0.0, |(_, score)| *score);
    let plain = score("A place on the boat costs $25 for everybody in town.");
    assert!(score("In cases where a gift is $200 or less, nobody asks who gave it.") < plain);
    assert!(score("The tour costs $25 for members and $35 for all other guests.") < plain);
}
