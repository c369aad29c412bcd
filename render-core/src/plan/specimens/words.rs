//! The words of specimen pages.

use crate::content::Span;
use crate::design::Template;
use crate::outline::{Copy, Figure, ItemCopy, PageKind, PageOutline};

/// The title of the set.
pub(super) const TITLE: &str = "A garden that waters itself";

fn copy(wordings: &[&str]) -> Option<Copy> {
    Some(Copy { wordings: wordings.iter().map(|w| (*w).to_owned()).collect(), span: None })
}

fn one(text: &str) -> Copy {
    Copy { wordings: vec![text.to_owned()], span: None }
}

fn item(head: &str, body: &str) -> ItemCopy {
    ItemCopy::new(one(head), (!body.is_empty()).then(|| one(body)))
}

fn labelled(label: &str, head: &str, body: &str) -> ItemCopy {
    ItemCopy { label: Some(one(label)), ..item(head, body) }
}

/// Creates an item under a group.
fn under(group: u8, head: &str) -> ItemCopy {
    ItemCopy { group, ..item(head, "") }
}

/// Creates an item with figures as written, and their numbers.
fn charted(head: &str, figures: &[(&str, f64)]) -> ItemCopy {
    ItemCopy {
        cells: figures.iter().map(|(text, _)| one(text)).collect(),
        numbers: figures.iter().map(|(_, n)| *n).collect(),
        ..item(head, "")
    }
}

/// Creates a row of cells after its head.
fn row(head: &str, cells: &[&str]) -> ItemCopy {
    ItemCopy { cells: cells.iter().map(|c| one(c)).collect(), ..item(head, "") }
}

fn groups(names: &[&str]) -> Vec<Copy> {
    names.iter().map(|n| one(n)).collect()
}

fn figure(value: &str, unit: &str, number: f64) -> Option<Figure> {
    Some(Figure { value: value.into(), unit: unit.into(), number, span: Span { start: 0, end: 0 } })
}

/// Returns the words of a template's specimen, alone or in a set.
pub(super) fn outline_of(template: Template, in_set: bool) -> PageOutline {
    let kicker = in_set.then(|| copy(&[TITLE])).flatten();
    let page = match template.name() {
        "before-after" => before_after(),
        "bar-rank" => bar_rank(),
        "pictogram" => pictogram(),
        _ => of_template(template).unwrap_or_else(|| of_kind(template.kinds()[0])),
    };
    PageOutline { kicker: kicker.filter(|_| page.kind != PageKind::Cover), ..page }
}

/// Returns a point with its support, for templates that show one kind of support.
fn supported(template: Template) -> Option<PageOutline> {
    let point =
        PageOutline { title: copy(&["Water the roots, not the leaves"]), ..PageOutline::blank(PageKind::Point, 0.8) };
    Some(match template.name() {
        "point-rows" => PageOutline {
            items: vec![
                item("A rose loses half of the water to the wind.", ""),
                item("Wet leaves in the evening invite mildew.", ""),
                item("A can without its rose reaches the soil at once.", ""),
            ],
            note: copy(&["Count to ten over each plant, then move on."]),
            ..point
        },
        "point-panels" => PageOutline {
            items: vec![
                item("At dawn the ground is cool and drinks.", ""),
                item("At noon a third is gone before it sinks in.", ""),
            ],
            note: copy(&["Set the timer for five."]),
            ..point
        },
        "point-figure" => PageOutline {
            figure: figure("61", "%", 61.0),
            body: copy(&["of the water goes when a drip line takes the place of the hose"]),
            note: copy(&["Measured on 40 allotments from June to August."]),
            ..point
        },
        "point-quote" => PageOutline {
            body: copy(&["I stopped watering the path and started watering the beans. They noticed within a week."]),
            attribution: copy(&["Ines Calder, allotment holder"]),
            ..point
        },
        "point-lead" => PageOutline {
            body: copy(&[
                "Roots drink; leaves only get wet. Hold the can low, let it run slowly, and the ground takes all of it.",
            ]),
            note: copy(&["A litre at the root is worth three from above."]),
            ..point
        },
        "point-amount" => PageOutline {
            title: None,
            body: copy(&["Under five centimetres of bark, a bed saves 1,200 litres from May to August."]),
            ..point
        },
        "point-badge" => PageOutline {
            kind: PageKind::Step,
            number: Some(3),
            body: copy(&["Hold the can low and let it run slowly: roots drink, leaves only get wet."]),
            note: copy(&["Once a week is enough for beans."]),
            ..point
        },
        "point-statement" => PageOutline { title: copy(&["Nobody waters a forest"]), ..point },
        _ => return None,
    })
}

/// Returns the title of a cover whose template is made for one kind of promise.
fn promising(template: Template) -> Option<&'static str> {
    Some(match template.name() {
        "cover-count" => "7 ways to water less",
        "cover-figure" => "How we saved 40 % of our water",
        "cover-question" => "Does a garden need a hose?",
        "cover-versus" => "Drip line vs. garden hose",
        "cover-medallion" | "cover-scene" => "The lighthouse rule of small gardens",
        _ => return None,
    })
}

/// Returns the content for a template that only shows some pages of its kind.
fn of_template(template: Template) -> Option<PageOutline> {
    if let Some(page) = supported(template) {
        return Some(page);
    }
    if let Some(title) = promising(template) {
        return Some(PageOutline { title: copy(&[title]), ..of_kind(PageKind::Cover) });
    }
    if template.name() == "example-slide" {
        return Some(PageOutline {
            items: vec![item("A sprinkle every evening", ""), under(1, "One long drink, twice a week")],
            ..of_kind(PageKind::Step)
        });
    }
    if template.name() == "recap-question" {
        return Some(PageOutline {
            title: copy(&["Which bed would you mulch first?"]),
            groups: groups(&["Recap"]),
            ..of_kind(PageKind::Recap)
        });
    }
    let page = PageOutline::blank(template.kinds()[0], 0.8);
    let items = match template.name() {
        "process-flow" => vec![
            item("Measure the bed", "Note every turn"),
            item("Lay the line", "Warm it in the sun first"),
            item("Punch the drippers", "One to each stem"),
            item("Run the water", "Until the soil is wet"),
        ],
        "flow-arrows" => {
            vec![item("Bare, dry soil", ""), item("A blanket of mulch", ""), item("Beds that stay cool", "")]
        }
        "list-numbered" => vec![
            item("Mulch first", "Before the heat, five centimetres deep."),
            item("Water at dawn", "Once, for long enough to reach the roots."),
            item("Let it go gold", "A lawn sleeps through August and wakes with the rain."),
        ],
        "tips-bento" => vec![
            item("Bark mulch", "Cool ground, slow water"),
            item("Clay pots", "Buried to the neck"),
            item("Deep roots", "Yarrow, sage, thyme"),
            item("Rain barrels", "Free until July"),
            item("Dawn water", "Once, and deeply"),
        ],
        "list-bands" => vec![
            item("Under the shed", "Dry, dark and full of jars."),
            item("Along the fence", "Where the wind can’t reach."),
            item("By the kitchen door", "Herbs, within reach of the pan."),
            item("On the sill", "Seedlings, until the frost is gone."),
        ],
        "cycle" => vec![
            item("Rain falls", "On roofs and beds"),
            item("Soil drinks", "A hand deep"),
            item("Leaves breathe", "From dawn to noon"),
            item("Clouds gather", "Over the hills"),
        ],
        "funnel" => vec![
            charted("Drawn from the tap", &[("186 l", 186.0)]),
            charted("Lands on the bed", &[("124 l", 124.0)]),
            charted("Sinks in", &[("71 l", 71.0)]),
            charted("Reaches a root", &[("38 l", 38.0)]),
        ],
        _ => return None,
    };
    let title = match template.name() {
        "cycle" => copy(&["The garden’s water cycle"]),
        "flow-arrows" => copy(&["How a bed stops being thirsty"]),
        "funnel" => copy(&["Where a day’s water goes"]),
        "list-numbered" => copy(&["3 rules for a dry summer"]),
        "list-bands" => copy(&["Four places that a small garden forgets"]),
        "tips-bento" => copy(&["5 things that beat a drought"]),
        _ => copy(&["A drip line in four moves"]),
    };
    Some(PageOutline { title, items, ..page })
}

fn before_after() -> PageOutline {
    PageOutline {
        title: copy(&["Tap water for one bed, the summer after a drip line went in"]),
        figure: figure("−61", "%", -61.0),
        items: vec![charted("Hose", &[("180 l a week", 180.0)]), charted("Drip line", &[("70 l", 70.0)])],
        attribution: copy(&["Trial of 40 allotments, June to August"]),
        ..PageOutline::blank(PageKind::Series, 0.8)
    }
}

fn bar_rank() -> PageOutline {
    PageOutline {
        title: copy(&["Tomatoes drink more than any other bed"]),
        body: copy(&["Water in July (litres a week and square metre)"]),
        items: vec![
            charted("Courgettes", &[("24", 24.0)]),
            charted("Tomatoes", &[("31", 31.0)]),
            charted("Beans", &[("18", 18.0)]),
            charted("Lavender", &[("3", 3.0)]),
            charted("Roses", &[("12", 12.0)]),
            charted("Thyme", &[("2", 2.0)]),
        ],
        attribution: copy(&["Trial of 40 allotments, June to August"]),
        ..PageOutline::blank(PageKind::Series, 0.8)
    }
}

fn pictogram() -> PageOutline {
    PageOutline {
        figure: figure("3 in 4", "", 0.75),
        title: copy(&["gardeners water at noon, when a third of it is gone before it reaches a root"]),
        attribution: copy(&["Trial of 40 allotments, June to August"]),
        ..PageOutline::blank(PageKind::Stat, 0.8)
    }
}

fn of_kind(kind: PageKind) -> PageOutline {
    let blank = PageOutline::blank(kind, 0.8);
    match kind {
        PageKind::Cover => PageOutline {
            title: copy(&[TITLE]),
            body: copy(&[
                "Five habits that keep a dry summer from becoming a second job.",
                "Five habits for a dry summer.",
            ]),
            ..blank
        },
        PageKind::Point => PageOutline {
            title: copy(&["Mulch before the heat, not after it"]),
            body: copy(&[
                "Five centimetres of bark keep the ground cool and hold the water that spring left there.",
                "Five centimetres of bark keep the ground cool.",
            ]),
            ..blank
        },
        PageKind::Step => PageOutline {
            number: Some(2),
            title: copy(&["Water at dawn, once, and deeply"]),
            body: copy(&[
                "Short showers every evening teach roots to stay shallow. One long drink sends them down.",
                "One long drink sends roots down.",
            ]),
            ..blank
        },
        PageKind::List => PageOutline {
            title: copy(&["Four plants that ask for little"]),
            items: vec![
                item("Lavender", "Poor soil and full sun. Cut it back in August."),
                item("Sedum", "Stores its own water, flowers when others stop."),
                item("Yarrow", "Deep roots, flat heads, loved by hoverflies."),
                item("Thyme", "Fills the gaps between stones and stays green."),
            ],
            ..blank
        },
        PageKind::Stat => PageOutline {
            figure: figure("62", "%", 62.0),
            title: copy(&["of a summer’s tap water never reaches a root", "of tap water never reaches a root"]),
            attribution: copy(&["Trial of 40 allotments, June to August"]),
            ..blank
        },
        PageKind::Quote => PageOutline {
            title: copy(&["I stopped fighting the weather and started planting for it."]),
            attribution: copy(&["Ines Calder, allotment holder"]),
            ..blank
        },
        PageKind::Recap => PageOutline {
            title: copy(&["Recap"]),
            items: vec![
                item("Mulch before the heat", ""),
                item("Water at dawn, once, deeply", ""),
                item("Choose plants that ask for little", ""),
                item("Catch the roof’s rain", ""),
                item("Let the lawn go gold", ""),
            ],
            cta: copy(&["Plan your bed tonight"]),
            ..blank
        },
        PageKind::Definition => PageOutline {
            title: copy(&["petrichor"]),
            body: copy(&[
                "The smell that rises from dry ground when the first rain falls on it after weeks of sun.",
                "The smell of the first rain on dry ground.",
            ]),
            ..blank
        },
        PageKind::MythFact => PageOutline {
            groups: groups(&["Myth", "Fact"]),
            items: vec![
                item("Watering at noon burns the leaves", ""),
                ItemCopy {
                    group: 1,
                    ..item(
                        "Noon water is only wasted",
                        "A third of it is gone before it reaches the roots. Dawn costs nothing.",
                    )
                },
            ],
            ..blank
        },
        PageKind::Question => PageOutline {
            title: copy(&["How often should a lawn be watered?"]),
            body: copy(&[
                "Once a week, and for long enough to wet a hand’s depth of soil. In a drought, not at all: it browns, and comes back.",
                "Once a week, a hand’s depth. In a drought, not at all.",
            ]),
            ..blank
        },
        PageKind::Versus => PageOutline {
            title: copy(&["Hose or drip line?"]),
            groups: groups(&["Hose", "Drip line"]),
            items: vec![
                under(0, "Nothing to install"),
                under(0, "Wets leaves and paths"),
                under(0, "Needs you every evening"),
                under(1, "Half a day to lay"),
                under(1, "Waters only the roots"),
                under(1, "Runs while you are away"),
            ],
            ..blank
        },
        PageKind::ProsCons => PageOutline {
            title: copy(&["Is a rain barrel worth it?"]),
            groups: groups(&["For", "Against"]),
            items: vec![
                under(0, "Free water all spring"),
                under(0, "Soft, and as warm as the air"),
                under(0, "Takes an hour to fit"),
                under(1, "Empty by the second dry week"),
                under(1, "Needs a lid against gnats"),
            ],
            ..blank
        },
        PageKind::Table => PageOutline {
            title: copy(&["Which watering suits your bed?"]),
            groups: groups(&["Hose", "Drip line"]),
            items: vec![
                row("Set-up", &["Minutes", "Half a day"]),
                row("Cost", &["€25", "€140"]),
                row("Water a week", &["180 l", "70 l"]),
                row("While away", &["No", "Yes"]),
                row("Best for", &["Pots and lawns", "Beds and hedges"]),
            ],
            ..blank
        },
        PageKind::Timeline => PageOutline {
            title: copy(&["A year in the dry garden"]),
            items: vec![
                labelled("March", "Mulch goes down", "Five centimetres, before the sun is high"),
                labelled("May", "Seedlings move out", "One deep watering, then none for a week"),
                labelled("July", "The lawn turns gold", "It sleeps; leave it alone"),
                labelled("September", "New plants go in", "Warm soil, cool air, first rain"),
                labelled("November", "Barrels are emptied", "Before the first hard frost"),
            ],
            ..blank
        },
        PageKind::Process => PageOutline {
            title: copy(&["A drip line in one afternoon"]),
            items: vec![
                labelled("10 min", "Measure", "Walk the bed and note every turn"),
                labelled("30 min", "Lay", "Unroll the line in the sun, it bends better warm"),
                labelled("45 min", "Punch", "One dripper a hand’s width from each stem"),
                labelled("5 min", "Test", "Run it until the soil is wet a hand deep"),
            ],
            ..blank
        },
        PageKind::Checklist => PageOutline {
            title: copy(&["Before you leave for two weeks"]),
            items: vec![
                ItemCopy { done: true, ..item("Move pots into the shade", "") },
                item("Water every bed deeply once", ""),
                item("Set the timer for six in the morning", ""),
                item("Pick everything that is nearly ripe", ""),
                item("Ask a neighbour to look in", ""),
            ],
            ..blank
        },
        PageKind::Series => PageOutline {
            title: copy(&["Beds under mulch need half the water by August"]),
            body: copy(&["Litres a week, ten square metres"]),
            groups: groups(&["Bare soil", "Mulched"]),
            items: vec![
                charted("April", &[("82", 82.0), ("80", 80.0)]),
                charted("May", &[("104", 104.0), ("86", 86.0)]),
                charted("June", &[("139", 139.0), ("94", 94.0)]),
                charted("July", &[("171", 171.0), ("99", 99.0)]),
                charted("August", &[("186", 186.0), ("92", 92.0)]),
            ],
            ..blank
        },
        PageKind::Figures => PageOutline {
            title: copy(&["One summer, forty allotments"]),
            items: vec![
                ItemCopy { numbers: vec![41_800.0], ..row("Litres saved", &["41,800", ""]) },
                ItemCopy { numbers: vec![38.0], ..row("Less water", &["38", "%"]) },
                ItemCopy { numbers: vec![6.0], ..row("Minutes a day", &["6", "min"]) },
                ItemCopy { numbers: vec![93.0], ..row("Would do it again", &["93", "%"]) },
            ],
            ..blank
        },
        PageKind::Tree => PageOutline {
            title: copy(&["Where a garden’s water comes from"]),
            groups: groups(&["Sky", "Tap", "House"]),
            items: vec![
                under(0, "Barrel"),
                under(0, "Pond"),
                under(1, "Hose"),
                under(1, "Drip line"),
                under(2, "Bath"),
                under(2, "Sink"),
            ],
            ..blank
        },
        PageKind::Announcement => PageOutline {
            title: copy(&["The water library opens"]),
            body: copy(&["Borrow drip lines, barrels and timers like books."]),
            items: vec![
                labelled("Date", "12 May", ""),
                labelled("Place", "Canal Street 8", ""),
                labelled("Price", "Free for members", ""),
            ],
            cta: copy(&["canalgardens.org"]),
            ..blank
        },
        PageKind::Offer => PageOutline {
            title: copy(&["Drip lines, 30% off until Sunday"]),
            figure: figure("30", "%", 30.0),
            items: vec![labelled("Code", "DRIP30", ""), labelled("Until", "31 May", "")],
            cta: copy(&["canalgardens.org/drip"]),
            ..blank
        },
        PageKind::Event => PageOutline {
            title: copy(&["Gardening without a hose"]),
            body: copy(&["An evening with Ines Calder"]),
            items: vec![
                labelled("Date", "Thursday, 12 May", ""),
                labelled("Time", "7 pm", ""),
                labelled("Place", "Boathouse, Canal Street", ""),
                labelled("Speaker", "Ines Calder", ""),
            ],
            cta: copy(&["canalgardens.org/may"]),
            ..blank
        },
    }
}
