"""Makes a one-page handbook with about 200 kB of markup: sixty stages of a coast path with prose, tables and lists.

The prose combines fixed sentences, and the figures come from a fixed sequence; totals are computed.
"""

PLACES = (
    "Alder Mouth|Anvil Rock|Ashen Strand|Barrow Quay|Beacon Head|Bellweather|Bishop’s Stair|Black Ladder|Bramble Cove|"
    "Brine Market|Candle Bay|Carrick Wall|Chantry Point|Cinder Cliff|Cold Harbour|Corran|Cowrie Sands|Crowsfoot|Dunlow|"
    "Eel Bridge|Elder Slip|Far Gate|Fennick|Fiddler’s Elbow|Finback|Foxearth|Gannet Ledge|Glass Beach|Gorse Hill|"
    "Greyhythe|Gull Stone|Hallow Sound|Heron Weir|Hollin|Hook Sands|Iron Steps|Jack’s Folly|Kelder|Kittiwake Down|"
    "Lamb Holm|Lantern Row|Larkholt|Limpet Flat|Long Mole|Marram|Mew Stone|Nine Wells|Oarsman’s Rest|Old Battery|"
    "Otter Leap|Peat Landing|Pebble Ness|Pilot’s Green|Quern|Ravenscar|Reed Ferry|Saltpan Row|Samphire|Seal Skerry|"
    "Thrift Point|Windlass"
).split("|")

OPENINGS = [
    "The path leaves {a} between the last two houses and is at sea within a minute.",
    "Start early: the stretch behind {a} lies in shade until ten, and the birds are still on the water.",
    "From {a} the way climbs at once, and then hardly again.",
    "Nothing about the car park at {a} suggests what is behind it.",
    "Walkers who come from {a} with full bottles will be glad of them before noon.",
    "It is possible to walk from {a} to {b} on the road, and nobody should.",
    "A gate, a field, another gate, and then {a} has disappeared and only the coast is left.",
]
GROUND = [
    "The ground is short turf on chalk, dry even after rain.",
    "Boards cross the wet parts, and the third of them is loose.",
    "For two kilometres you walk on shingle, which counts double.",
    "Steps cut by quarrymen make the descent easy for people with long legs.",
    "Gorse closes in on both sides; long trousers are no luxury.",
    "The cliff has moved since the maps were drawn, so follow the posts and not the line.",
    "At high water the beach is gone, and the upper way adds twenty minutes.",
    "Sheep keep the path open, and dogs go on a lead for that reason.",
    "The clay holds every footprint until May.",
]
PAST = [
    "The low walls to the left are what remains of a village that the sea took in one night in 1703.",
    "Lime was burned here until 1911, and the kilns still keep off the wind.",
    "A school for navigators stood on the green; its clock has been running six minutes slow since 1844.",
    "The tower was built against an invasion that went elsewhere.",
    "Women from {b} carried salt along this path, forty pounds at a time, and named every bend.",
    "A wreck shows its ribs at low water; she carried oranges, and the village ate nothing else for a month.",
    "The tunnel below the farm was dug by smugglers, or by a farmer with too many sons, depending on whom you ask.",
    "Two lighthouses were built here by mistake, and both were kept.",
    "The ferry stopped in 1962, but the bell to call it is still oiled every spring.",
    "Fishermen left a stone on the heap for each safe return; it is now taller than the chapel.",
    "The quarry supplied the steps of half the capital.",
]
ADVICE = [
    "Bring cash, for the machine in {b} has never worked.",
    "There is no water between the beacon and {b}.",
    "The last bus back leaves at 17:40 and is not sentimental.",
    "In nesting time the detour is signed in yellow, and it is prettier.",
    "Telephones find a signal at the bench with the brass plate and nowhere else.",
    "With a north wind take the inland way, which is sheltered and has blackberries.",
    "Ask at the farm before you camp; the answer is yes.",
    "Check the tide table twice: the ford is passable for two hours only.",
]
FOOD = [
    "In {b} the bakery opens at six and is sold out by nine.",
    "The café at {b} serves one soup, and it is the right one.",
    "Two inns compete in {b}, which keeps both of them honest.",
    "The shop in {b} closes on Wednesdays, and on days when the fish is running.",
    "At {b} you can eat on the quay and be watched by gulls.",
]
THINGS = [
    ["a seal colony below the second stile", "a stone seat with a view over three bays", "a spring that tastes of iron"],
    ["orchids in the old railway cutting", "a hide for watching waders", "a bridge made from one slab"],
    ["the smallest chapel of the coast", "a natural arch that booms at half tide", "a ruined signal station"],
    ["a heronry in the pines", "fossils in the fallen rocks", "a wall painted by shipwrecked sailors"],
]
ICON = '<svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1.5 14.5 14h-13z" ' \
    'fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"/></svg>'


def stages():
    """Yields the number, start, end, kilometres, metres of ascent and minutes of each stage."""
    for n in range(60):
        km = 8 + (n * 37 % 113) / 10
        ascent = 40 + n * 53 % 460
        yield n + 1, PLACES[n], PLACES[n + 1], km, ascent, round(km * 15 + ascent / 10)


def section(n, a, b, km, ascent, minutes):
    fill = lambda lines, step: lines[n * step % len(lines)].format(a=a, b=b)
    prose = [fill(OPENINGS, 3) + " " + fill(GROUND, 4), fill(PAST, 5) + " " + fill(GROUND[::-1], 2) + " " + fill(FOOD, 2),
             fill(ADVICE, 3) + " " + fill(PAST[::-1], 3)]
    photo = f"https://img.footway.example/stages/{n}"
    sizes = ", ".join(f"{photo}-{w}.jpg {w}w" for w in (480, 960, 1440))
    hours, rest = divmod(minutes, 60)
    things = "".join(f'<li class="sight">{ICON}<span>{t[0].upper() + t[1:]}</span></li>' for t in THINGS[n % 4])
    paragraphs = "\n".join(f'<p class="stage__text" data-stage="{n}">{p}</p>' for p in prose)
    return f'''<section class="stage" id="stage-{n}" aria-labelledby="stage-{n}-title">
<h2 class="stage__title" id="stage-{n}-title">Stage {n}: {a} to {b} <a class="anchor" href="#stage-{n}" aria-label="Link to this stage">#</a></h2>
{paragraphs}
<table class="stage__facts"><tbody><tr><th scope="row">Distance</th><td>{km:.1f} km</td></tr><tr><th scope="row">Ascent</th><td>{ascent} m</td></tr><tr><th scope="row">Time</th><td>{hours} h {rest:02} min</td></tr></tbody></table>
<figure class="stage__photo"><img loading="lazy" src="{photo}-480.jpg" srcset="{sizes}" sizes="(min-width: 60em) 40vw, 100vw" width="960" height="640" alt="The path near {b}"><figcaption>Near {b}, looking back towards {a}.</figcaption></figure>
<ul class="stage__sights">{things}</ul>
<div class="stage__tools"><a class="btn btn--ghost" href="/gpx/{n}.gpx" download>{ICON}Download GPX</a><a class="btn btn--ghost" href="/map?stage={n}">{ICON}Show on map</a><button class="btn btn--ghost" type="button" data-action="save" data-stage="{n}">Save for later</button></div>
<p class="back"><a href="#top">Back to top</a></p>
</section>'''


def page():
    all_stages = list(stages())
    km, ascent = sum(s[3] for s in all_stages), sum(s[4] for s in all_stages)
    longest = max(all_stages, key=lambda s: s[3])
    contents = "".join(f'<li><a href="#stage-{n}"><span class="n">{n}</span> {a} to {b}</a></li>' for n, a, b, *_ in all_stages)
    rules = "".join(f".stage:nth-child({n}) .stage__title{{--hue:{n * 6}}}" for n in range(1, 61))
    return f'''<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>The Long Coast Path in sixty stages | Footway Society</title>
<meta property="og:title" content="The Long Coast Path in sixty stages">
<meta property="og:site_name" content="Footway Society">
<meta name="author" content="Edith Marlowe">
<meta property="article:published_time" content="2026-04-01">
<style>{rules}.icon{{vertical-align:-2px}}.btn{{border:1px solid}}</style>
</head>
<body id="top">
<header class="site"><a href="/">Footway Society</a><nav><a href="/paths">Paths</a><a href="/join">Become a member</a><a href="/shop">Shop</a></nav></header>
<nav class="contents" aria-label="Contents"><h2>All stages</h2><ol>{contents}</ol></nav>
<main><article>
<h1>The Long Coast Path in sixty stages</h1>
<p class="lead">The path runs {km:.1f} kilometres around the coast, from {all_stages[0][1]} to {all_stages[-1][2]}, and no stage of it is longer than {longest[3]:.1f} kilometres.</p>
<p>Most people walk it in ten summers, six stages at a time. About 300 walkers a year finish it in one go, and the society sends each of them a brass button.</p>
<p>The whole path climbs {ascent:,} metres, though never above 210. Since the posts were renewed in 2023, rescue teams have been called out 41% less often.</p>
{chr(10).join(section(*s) for s in all_stages)}
<section class="stage"><h2>When you have finished</h2><p>Write your name and the number of days into the book at {all_stages[-1][2]}. The record is 23 days, and nobody has ever asked how it was.</p></section>
</article></main>
<aside class="shop"><h2>From the shop</h2><p>Waterproof maps of all sixty stages, members save 20%.</p></aside>
<footer><p>Footway Society, registered charity. Cookies, privacy, press.</p></footer>
</body>
</html>
'''
