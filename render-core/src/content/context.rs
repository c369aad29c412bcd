//! How a sentence depends on the text around it, and whether it is worth keeping.

use std::sync::LazyLock;

use super::Language;
use super::condense::{negates, unjoined};
use super::promised::promises;
use super::segment;
use super::words::{self, Phrases, Words};

/// Openers of sentences that give an example or a detail of the previous one.
const EXAMPLES: &str = "to do this|to do that|to do so|to that end|to this end|to recap|to be clear|to sum up|dazu|pour ce faire|\
    para ello|a tal fine|daartoe|in particular|specifically|more specifically|insbesondere|en particulier|en particular|\
    em particular|in particolare|in het bijzonder|в частности|w szczególności|özellikle|for example|for instance|as an example|zum beispiel|beispielsweise|par exemple|por ejemplo|\
    por exemplo|ad esempio|per esempio|bijvoorbeeld|for eksempel|till exempel|esimerkiksi|na przykład|například|\
    de exemplu|например|наприклад|örneğin|例えば|例如";

/// Openers of sentences that follow from the previous one or continue its enumeration, in any language, separated by
/// `|`.
const FOLLOWS: &str = "it is because of|it's because of|it’s because of|because of this|because of that|in addition to the|in addition to this|in addition to that|as we said|as i said|as mentioned|as noted|on top of that|since then|after that|before that|until then|from there|even then|even so|doing so|\
    doing this|doing that|as one example|in one example|in another|in another example|turns out|it turns out|the second|the third|\
    the fourth|the next|the other|the last one|the first reason|the first of|a second|a third|one is|one was|\
    one of them|some of them|many of them|most of them|none of them|the first one|other times|for others|others|still others|\
    for an example|for more|as part of the|in the meantime|or you|or if|if not|if so|if yes|\
    alternatively|conversely|in contrast|moreover|furthermore|in doing so|when complete|once complete|once done|once that|\
    later that|the next step|next step|the same is true|the same goes|the only thing left|\
    wenn ja|wenn nein|falls ja|falls nicht|falls nein|seitdem|danach|davor|anschließend|obendrein|\
    der zweite|die zweite|das zweite|der dritte|die dritte|das dritte|der nächste|die nächste|andere wiederum|beides|\
    si oui|si non|sinon|depuis|ensuite|après cela|avant cela|la deuxième|le deuxième|la seconde|le second|la troisième|le troisième|\
    la première raison|au lieu de cela|pour d'autres|pour d’autres|d'autres|d’autres|ou peut-être|ou bien|par contre|c'est|c’est|\
    si no|de lo contrario|desde entonces|después de eso|luego|la segunda|el segundo|la tercera|el tercero|la primera razón|\
    para otros|otros|otras|o tal vez|o quizás|por otro lado|de esta manera|de esta forma|de este modo|\
    se não|caso contrário|senão|desde então|depois disso|a segunda|o segundo|a terceira|o terceiro|a primeira razão|\
    para outros|outros|outras|ou talvez|por outro lado|dessa forma|desta forma|além disso|\
    se no|altrimenti|da allora|dopo di che|la seconda ragione|per altri|altri|\
    zo niet|sindsdien|daarna|de tweede|de derde|voor anderen|anderen|\
    если нет|иначе|с тех пор|после этого|второй|вторая|второе|третий|третья|для других|другие|\
    w przeciwnym razie|od tego czasu|potem|drugi|druga|trzeci|trzecia|dla innych|inni|\
    2つ目|二つ目|3つ目|三つ目|1つ目|一つ目|次に|その後|さらに|また、|そして|それから|すると|一方|逆に|例えば|もしそう|そうでなければ|\
    举个例子|例如|比如|其次|第二|第三|然后|接着|另外|此外|相反|否则|不然|同样|\
    दूसरा|तीसरा|पहला कारण|दूसरा कारण|इसके बाद|फिर|अन्यथा|उदाहरण|\
    على سبيل المثال|كمثال|السبب الثاني|السبب الأول|ثانيا|ثالثا|بعد ذلك|وإلا|كذلك|وبذلك|كل هذا";

/// Words after "it is" that evaluate what follows, so that "it" refers to nothing before.
const JUDGED: &str = "important essential critical crucial vital easy easier hard harder difficult possible impossible \
    best better helpful useful worth common rare normal natural okay ok fine time clear true likely unlikely tempting \
    necessary";

/// Personal pronouns that are always subjects.
const SUBJECTS: &str = "he she they er ils elles ellos ellas он она они";

/// Words by language that refer to something already named if they precede a noun.
const DEMONSTRATIVES: [(&str, &str); 21] = [
    ("en", "this these those"),
    ("de", "dies diese dieser dieses diesen diesem jene jener jenes jenen jenem solche solchen"),
    ("fr", "cette cet ces cela"),
    ("es", "estos estas esos esas esa ese aquellos aquellas esto eso"),
    ("it", "questo questa questi queste quella quegli quelle"),
    ("pt", "essa esse essas esses desse dessa desses dessas nesse nessa neste nesta isso disso isto tais"),
    ("nl", "deze zulke"),
    ("ru", "этот эта эти этого этой этих этому этом этим этими такой такая такие"),
    ("pl", "ten tego tej tych tym tymi"),
    ("sv", "denna detta dessa"),
    ("da", "denne dette disse"),
    ("no", "denne dette disse"),
    ("nb", "denne dette disse"),
    ("cs", "tento této tohoto těchto"),
    ("tr", "bu şu"),
    ("uk", "цей ця ці цього цієї цих цьому"),
    ("id", "tersebut"),
    ("hi", "इस इन उस उन ऐसे ऐसी ऐसा इसे इन्हें उन्हें"),
    ("ar", "هذا هذه ذلك تلك هؤلاء بذلك لذلك بهذا بهذه لهذا لهذه"),
    ("ja", "この その これ それ これら それら こうした そうした このような そのような 彼ら あの"),
    ("zh", "这 那 这个 那个 这些 那些 这种 那种 此 其 该 他们 它们 这样 那样"),
];

/// Prepositions that put a demonstrative at the front of a sentence ("At that moment"), in any language.
const PREPOSITIONS: &str = "of among with from by in at after before since during until on to for despite besides \
    through under around without within beyond über in im an auf aus bei mit nach von vor zu unter um durch für gegen seit \
    während wegen trotz à dans de en pour avec après avant depuis sur sous par chez con por para desde hasta sobre tras \
    di da su per tra fra dopo prima durante em com sem após antes te voor na met van op uit door bij в на с со по к из за \
    после до для без при w z na po do dla przy i på efter med av från för";

/// Phrases that point at another part of the document, in any language, separated by `|`.
const ELSEWHERE: &str = "below|the above|above,|mentioned above|as above|see above|listed above|described above|the following|as follows|\
    following questions|following steps|next section|previous section|this section|mentioned earlier|as mentioned|as noted|\
    as we saw|as we have seen|earlier in this|later in this|as discussed|the table|the chart|the diagram|the screenshot|\
    the image|pictured|unten|obigen|siehe oben|wie oben|folgende|folgenden|folgender|folgendes|wie folgt|nachstehend|\
    nachfolgend|ci-dessous|ci-dessus|suivantes|suivants|comme suit|a continuación|siguientes|mencionado anteriormente|\
    seguenti|di seguito|qui sotto|a seguir|seguintes|abaixo|acima|hieronder|hierboven|als volgt|volgende vragen|ниже|\
    выше|следующие|следующих|następujące|poniżej|powyżej|aşağıdaki|aşağıda|yukarıda|التالية|أدناه|أعلاه|निम्नलिखित|नीचे दिए|\
    以下|次の|上記|下記|以下の|如下|上述|下面|다음과|위의|아래의|berikut ini|di bawah ini|di atas|nedan|nedenfor|seuraavat";

/// Phrases by which an author announces what comes or speaks of the text itself, in any language, separated by `|`.
const ANNOUNCES: &str = "series of posts|series of blog posts|series of articles|in a series|this series|part of a series|you can read|first part of|second part of|third part of|\
    looking forward to|look forward to|can't wait to|can’t wait to|thrilled that|we’re thrilled|we're thrilled|freuen uns auf|excited about|excited to see|excited that|incredibly proud|couldn't be more|couldn’t be more|we appreciate|\
    deeply appreciate|grateful|we couldn't have|we couldn’t have|couldn't have asked|couldn’t have asked|\
    newly-issued|newly issued|installment|instalment|in the first post|in our last post|last post|previous post|second post|third post|next post|earlier post|\
    this post|yesterday|h/t |link removed|auf der seite sehen|excited to|thrilled to|pleased to announce|proud to announce|happy to announce|happy to share|happy to hear|\
    keep an eye out|we've posted|we’ve posted|weren't able to join|weren’t able to join|consider, for example|consider the|you can view|you can watch|watch the video|view the video|watch the talk|\
    made it this far|the honor of|the honour of|i was invited|and that's it|and that’s it|as always|more to come|lives in|this past summer|this past fall|this past spring|this past winter|this past year|this past week|this past month|\
    last summer|last fall|last spring|will soon be|a member of the|letzte woche|letzten monat|letzten sommer|\
    la semaine dernière|le mois dernier|la semana pasada|el mes pasado|na semana passada|no mês passado|la settimana scorsa|vorige week|\
    на прошлой неделе|w zeszłym tygodniu|先週|先月|上周|上个月|das video ansehen|\
    zum video|regardez la vidéo|voir la vidéo|mira el vídeo|mira el video|ver el vídeo|ver el video|assista ao vídeo|guarda il video|\
    bekijk de video|смотрите видео|zobacz film|動画を見|观看视频|let's|let’s|let us|we'll look|we’ll look|we will look|i'll|i’ll|i will|we'll cover|we'll discuss|we'll explore|we will discuss|\
    we will cover|in this guide|in this chapter|we recently|i recently|last week|last month|yesterday's|yesterday’s|today we'll|today we’ll|we'll talk about|we’ll talk about|tomorrow, we'll|tomorrow, we’ll|\
    tomorrow we'll|we'll detail|we’ll detail|here and here|lassen sie uns|lass uns|reden wir|hablemos|parlons|parliamo|vamos falar|laten we|поговорим|\
    porozmawiajmy|konuşalım|話しましょう|谈谈|이야기해|congratulations|herzlichen glückwunsch|felicitaciones|félicitations|\
    congratulazioni|parabéns|gefeliciteerd|поздравляем|gratulacje|tebrikler|おめでとう|恭喜|축하|बधाई|تهانينا|earlier this|this year|\
    a few weeks ago|a few months ago|schauen wir|sehen wir uns|in diesem artikel|in diesem abschnitt|voyons|nous allons voir|\
    dans cet article|veamos|en este artículo|en esta guía|vediamo|in questo articolo|vamos ver|neste artigo|neste guia|\
    laten we|in dit artikel|рассмотрим|в этой статье|давайте|przyjrzyjmy|w tym artykule|bu yazıda|この記事|本文将|本文|让我们|here.|see here|reach out|get in touch|feel free|you can find|you can see|take a look|\
    learn more|if you have any|if you have additional|contact us|send us|email us|let us know|join us|we'd love|we’d love|\
    we thank|we’re thankful|we're thankful|we'll be talking|we’ll be talking|we will be talking|first blog post|open an issue|quick plug|\
    we want to hear|please register|register today|register now|sign up|here is how|here's how|here’s how|voici comment|voici|so erreichen sie|so geht|así puedes|aquí te|ecco come|veja como|for a few reasons|try the following|stay tuned|big thanks|special thanks|many thanks|thank you|read on";

/// Phrases that refer to something the previous sentence named, in English, separated by `|`.
const NAMED: &str = "way of doing that|way of doing this|ways of doing that|ways of doing this|way to do that|way to do this|\
    ways to do that|ways to do this|the answer is|the answer was|the answer isn't|the answer isn’t|using the same|the same goes|the case study|all three|all four|all five|all six|the two of them|the three of them|both of them|the latter|the former|\
    the question|the response|the same approach|the same way|this link|any of it|such a case|the other hand";

/// Words of sentences that claim or advise something, in any language, separated by `|`.
const CLAIMS: &str = "should|must|need to|needs to|have to|important|importantly|best|key|critical|crucial|essential|means|helps|\
    ensure|avoid|make sure|always|never|because|without|the goal|the reason|better|the most|requires|sollte|sollten|muss|\
    müssen|wichtig|wichtigste|am besten|entscheidend|bedeutet|hilft|vermeide|vermeiden|immer|niemals|weil|besser|ohne|doit|\
    doivent|il faut|important|essentiel|permet|évitez|toujours|jamais|parce que|mieux|sans|debe|deben|hay que|importante|\
    esencial|significa|ayuda|evita|siempre|nunca|porque|mejor|sin|deve|devono|bisogna|essenziale|aiuta|evitare|sempre|mai|\
    perché|meglio|senza|devem|é preciso|essencial|ajuda|evite|melhor|sem|moet|moeten|belangrijk|betekent|helpt|altijd|\
    nooit|omdat|beter|zonder|нужно|важно|следует|должны|должен|помогает|всегда|никогда|потому что|лучше|без|należy|ważne|\
    musi|pomaga|zawsze|nigdy|ponieważ|lepiej|gerekir|önemli|her zaman|asla|çünkü|يجب|مهم|دائما|لأن|चाहिए|ज़रूरी|महत्वपूर्ण|\
    हमेशा|क्योंकि|重要|必要|べき|ことが大切|なければ|应该|必须|需要|因为|最好|중요|해야|필요|harus|penting|selalu|karena";

/// Phrases of sentences that set a scene or report that somebody spoke, without a finding, in any language, separated
/// by `|`.
const SETUPS: &str = "कल्पना कीजिए|कल्पना करें|मान लीजिए|एक दिन|تخيل|ذات يوم|picture this|imagine|one day|it can be|it may be|it might be|there is no rule|there's no rule|there’s no rule|let's talk|\
    first question|this question|good question|perhaps|vielleicht|stellen sie sich|stell dir vor|eines tages|es kann|es gibt keine regel|\
    lassen sie uns|diese frage|imaginez|un jour|peut-être|il se peut|cette question|imagina|imagine que|un día|quizás|tal vez|\
    no existe ninguna regla|no hay ninguna regla|esta pregunta|um dia|talvez|não existe nenhuma regra|essa pergunta|immagina|\
    un giorno|forse|questa domanda|stel je voor|misschien|deze vraag|представьте|однажды|возможно|may be able|was asked|were asked|\
    この質問|この疑問|想像して|想象一下|有一天|也许|这个问题|now that|welcome to|okay,|maybe|you've found|you’ve found|you have found|if you're new|if you’re new|if you are new|\
    not only|not just|inspired by|in many cases|wasn't as simple|wasn’t as simple|nicht nur|pas seulement|pas que|\
    no solo|no sólo|não só|não apenas|niet alleen|non solo|не только|だけにとどまりません|だけではありません|不仅仅|不只是|\
    at that time|began with|started with|talked about|spoke about|speaks about|talks about|spoke with|had been|was wondering|\
    i noticed|we noticed|we think a lot|caught my eye|i asked|we asked|i reached out|we reached out|posed the question|some background|\
    a little background|when i first|years ago|sat down|one might|you might be|have you ever|is designed to|was founded|\
    it all started|once upon a time|for context|damals|zu dieser zeit|begann mit|sprach über|sprachen über|vor jahren|\
    à l’époque|à l'époque|a commencé par|ont parlé de|a parlé de|il y a des années|en aquel momento|empezó con|habló sobre|\
    hablaron de|hace años|all'epoca|è iniziato con|ha parlato di|anni fa|na época|começou com|falou sobre|anos atrás|\
    destijds|begon met|sprak over|jaren geleden|в то время|началось с|говорил о|рассказал о|лет назад|w tamtym czasie|\
    zaczęło się od|mówił o|lata temu";

/// Phrases of sentences that report news, a result or a name, in any language, separated by `|`.
const RESULTS: &str = "just released|has released|have released|is now|are now|now offering|now offers|is releasing|will release|will be releasing|\
    has launched|we launched|launched a|launched the|i call it|we call it|it's called|it’s called|is a new|we built|we found|we learned|\
    it turns out|turned out|most important reason|most importantly|no one has ever|for the first time|we were able to|we developed|we created|helped create|we've incorporated|we’ve incorporated|overall,|the goal is|as a result|\
    which means|resulted in|increased|decreased|reduced|saved|doubled|tripled|grew by|cut by|fewer|faster|cheaper|\
    unprecedented|instead of|rather than|ab sofort|neu ist|haben wir gelernt|stellte sich heraus|zum ersten mal|dadurch|gestiegen|\
    gesunken|statt|schneller|günstiger|désormais|nous avons appris|pour la première fois|a permis|réduit|augmenté|plutôt que|\
    au lieu de|plus rapide|ahora|hemos aprendido|por primera vez|resultó|redujo|aumentó|en lugar de|más rápido|adesso|\
    abbiamo imparato|per la prima volta|ha ridotto|è aumentato|invece di|più veloce|agora|aprendemos|pela primeira vez|\
    reduziu|aumentou|em vez de|mais rápido|voortaan|we leerden|voor het eerst|daalde|steeg|in plaats van|sneller|теперь|\
    мы узнали|впервые|сократил|вырос|вместо того|быстрее|po raz pierwszy|zmniejszył|wzrósł|zamiast|szybciej";

/// Questions that close a conversation out of courtesy, in any language, separated by `|`.
const COURTESIES: &str = "anything else|any final|any last|any closing|any parting|want to add|like to add|noch etwas hinzufügen|\
    möchten sie noch|autre chose|souhaitez-vous ajouter|algo más que|quieres añadir|quieres agregar|qualcos'altro|vuole aggiungere|\
    mais alguma coisa|gostaria de acrescentar|nog iets toevoegen|хотите добавить|что-нибудь добавить|最後に|还有什么";

/// Words near the start of a sentence that add it to the previous one, in any language.
const ALSO: &str = "also auch aussi también anche também ook также również också også myös taky też ayrıca також";
/// Number of words that count as the opening of a sentence.
const OPENING: usize = 4;

/// Penalties of a sentence that refers back, points elsewhere, or announces what comes.
const POINTS_BACK: f32 = 0.18;
const POINTS_ELSEWHERE: f32 = 0.3;
const ANNOUNCED: f32 = 0.3;
/// Maximum worth of a sentence that is no use to a page.
const FILLER: f32 = -0.2;
/// Bonuses of a sentence that claims something or reports a result, and the penalty of one that sets a scene.
const CLAIMED: f32 = 0.1;
const RESULTED: f32 = 0.1;
const SET_UP: f32 = 0.12;
/// Whether a sentence is complete without the previous one.
pub(crate) fn stands_alone(sentence: &str, lexicon: &Words) -> bool {
    let mut words = segment::words_of(sentence);
    // "That's why the crew counts", "And neither did they".
    if let Some(reason) = reasoned(sentence) {
        return stands_alone(reason, lexicon);
    }
    if words.len() > 1 && words::has(JOINTS, &words[0]) {
        words.remove(0);
    }
    let Some(first) = words.first().map(String::as_str) else { return false };
    let second = words.get(1).map_or("", String::as_str);
    let english = lexicon.code == "en";
    let stem = first.split(['\'', '’']).next().unwrap_or(first);
    // "There is", "it takes" and "it is important" refer to nothing before.
    if english {
        let third = words.get(2).map_or("", String::as_str);
        let judged = match first {
            "it" if matches!(second, "is" | "was") => third,
            _ if stem == "it" && stem != first => second,
            _ => "",
        };
        let impersonal = words::has(JUDGED, judged) || first == "it" && second == "takes";
        if first == "there" && matches!(second, "is" | "are" | "was" | "were" | "will") || impersonal {
            return true;
        }
    }
    // "To combat this, …", "Not only that, …", "Rather, …".
    let aims = english
        && first == "to"
        && words.get(2).is_some_and(|w| matches!(w.as_str(), "this" | "that" | "these" | "it"));
    let adds = english
        && words::opens_with(
            "not only that|rather,|even then|even more|even worse|even better|worse,|better yet",
            sentence,
        );
    if aims || adds || english && (lacks_antecedent(sentence, &words) || gives_thanks(sentence)) {
        return false;
    }
    // "Sometimes, that's on Monday."
    let near = words.get(1..3.min(words.len())).unwrap_or_default();
    if english
        && near.iter().enumerate().any(|(i, word)| {
            matches!(word.as_str(), "that's" | "that’s")
                || word == "that" && words.get(i + 2).is_some_and(|w| matches!(w.as_str(), "is" | "was" | "s"))
        })
    {
        return false;
    }
    // "Of these, 864 …", "At that moment", "Mit diesen Fragen".
    let of_those = words::has(PREPOSITIONS, first)
        && (words::has(demonstratives(lexicon.code), second)
            || english && matches!(second, "it" | "that" | "which" | "them"));
    // "The rest are …", "So the term …", "Nothing else changed".
    let rest = english
        && (first == "so"
            || first == "the"
                && matches!(
                    second,
                    "rest" | "latter" | "former" | "associated" | "others" | "same" | "result" | "above"
                ));
    // "Twelve weeks later they looked": an earlier sentence says who.
    let who = words.iter().take(4).skip(1).any(|w| words::has(SUBJECTS, w));
    // "(They are free.)", and the end of a bracket.
    let bracket = sentence.find(['(', ')', '（', '）']).and_then(|at| sentence[at..].chars().next());
    let aside = sentence.trim_start().starts_with(['(', '（']) || matches!(bracket, Some(')' | '）'));
    let leans = aside
        || of_those
        || rest
        || who
        || second == "else"
        || [EXAMPLES, FOLLOWS].iter().any(|list| words::opens_with(list, sentence.trim_start()));
    !(words::has(lexicon.pointing, first) || english && words::has(lexicon.pointing, stem) || leans)
}

/// Whether an English sentence thanks somebody without a verb of its own: "To the crew, for mending our boats."
fn gives_thanks(sentence: &str) -> bool {
    let mut words: Vec<&str> = sentence.split_whitespace().collect();
    // "Finally, to the crew …"
    if words.first().is_some_and(|word| word.ends_with(',')) {
        words.remove(0);
    }
    let [to, whom, rest @ ..] = words.as_slice() else { return false };
    let named = whom.starts_with(char::is_uppercase) || words::has("the all my our every everyone", whom);
    let thanks = rest.windows(2).any(|pair| pair[0] == "for" && pair[1].ends_with("ing"));
    // "To the extent that …" opens a clause.
    let described = matches!(rest, [who, "who" | "that", ..] if !words::has("extent degree point", who));
    to.eq_ignore_ascii_case("to") && named && (thanks || described)
}

/// Whether an English sentence draws a conclusion from an earlier one, or refers to something that it has not named:
/// "Thus the boats sink", "The crew asked us to do this", "We learn from them", "We solved this problem". `words` are
/// those of the sentence in lower case.
fn lacks_antecedent(sentence: &str, words: &[String]) -> bool {
    /// Words that "them" may stand for although they don't end in an "s".
    const SEVERAL: &str = "and people staff team teams everyone everybody anyone children men women those who whoever crew family \
        police public each every all most many both some others";
    /// Words that end in an "s" and name nothing.
    const NOT_SEVERAL: &str =
        "is was us this its his has does as yes always perhaps thus less plus unless across towards besides";
    let at = |i: usize| words.get(i).map_or("", String::as_str);
    let concludes = matches!(at(0), "thus" | "hence" | "therefore" | "consequently" | "afterward" | "afterwards");
    // "Instead give people boats" rejects something; "Instead of boats, …" names it.
    let rejects = at(0) == "instead" && at(1) != "of" && !sentence.starts_with("Instead,");
    let does = |i: usize| words::has("do did does done doing", at(i)) && matches!(at(i + 1), "this" | "so");
    let counts = |i: usize| {
        at(i) == "the"
            && words::has("two three four five", at(i + 1))
            && at(i + 2) == "of"
            && words::has("us them these", at(i + 3))
    };
    let named = |word: &String| {
        words::has(SEVERAL, word) || word.len() > 3 && word.ends_with('s') && !words::has(NOT_SEVERAL, word)
    };
    // "Remember two of them: …": what follows the colon stands by itself.
    let them = words.iter().position(|word| word == "them").is_some_and(|i| !words[..i].iter().any(named));
    let them = them && !sentence.contains(':');
    let points = |i: usize| does(i) || counts(i) || points_at_matter(words, i);
    // "It is too late for that."
    let ends = words.len() > 1
        && words::has("that this those these", at(words.len() - 1))
        && words::has("for of about with from to by in on at", at(words.len() - 2));
    concludes || rejects || them || ends || (0..words.len()).any(points)
}

/// Whether the English word at `i` is a demonstrative before a noun that describes an earlier statement, such as "this
/// problem" or "both of these changes", and the sentence itself has not named it before.
fn points_at_matter(words: &[String], i: usize) -> bool {
    /// Nouns for statements and events, in the singular.
    const MATTERS: &str = "issue problem question concern change difference reason finding challenge result case situation \
        incident conclusion observation argument event outcome obstacle concept";
    const BETWEEN: &str =
        "same very two three four five many big new first last specific particular existing important";
    if !words::has("this that these those", &words[i]) {
        return false;
    }
    let noun = words[i + 1..].iter().take(2).find(|word| !words::has(BETWEEN, word));
    let Some(noun) = noun.map(|noun| noun.strip_suffix('s').unwrap_or(noun)) else { return false };
    // "That change is hard" within a sentence joins a clause.
    let joins = words[i] == "that" && i > 0;
    !joins && words::has(MATTERS, noun) && !words[..i].iter().any(|word| word.starts_with(noun))
}

/// Conjunctions that may open a sentence, in any language.
const JOINTS: &str = "and but or yet und aber oder doch et mais ou y pero e ma mas en maar и но а 但 但是 然而 不过 而且 并且 可是 しかし でも \
    だが だから लेकिन परन्तु किन्तु لكن ولكن";

/// Returns the rest of an English sentence after an opening such as "That's why …", by which it follows from the
/// previous one.
pub(super) fn reasoned(sentence: &str) -> Option<&str> {
    const OPENINGS: [&str; 6] =
        ["That’s why ", "That's why ", "That is why ", "This is why ", "Which is why ", "That’s the reason "];
    OPENINGS.iter().find_map(|opening| sentence.strip_prefix(opening)).filter(|rest| !rest.trim().is_empty())
}

/// What the form of a sentence reveals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marks {
    /// It refers to something an earlier sentence names, or adds to that sentence.
    pub back: bool,
    /// It announces what comes, or speaks of the text itself.
    pub announces: bool,
    /// It sets a scene.
    pub sets_up: bool,
    /// It reports news or a result.
    pub results: bool,
    /// It claims or advises something.
    pub claims: bool,
}

/// The worth of a sentence by its form, independent of its topic.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worth {
    /// Lower if the sentence refers to other sentences, announces what comes or sets a scene. Higher if it claims
    /// something or reports news.
    pub score: f32,
    /// Whether a page should use the sentence only if there are no others: it points elsewhere or announces what
    /// comes.
    pub filler: bool,
    /// The marks that the score is based on.
    pub marks: Marks,
}

impl Worth {
    /// Returns the worth of a sentence in the language with this code.
    pub fn of(sentence: &str, code: &str) -> Self {
        static ELSE: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(ELSEWHERE));
        static ANNOUNCE: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(ANNOUNCES));
        static CLAIM: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(CLAIMS));
        static SETUP: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(SETUPS));
        static RESULT: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(RESULTS));
        let lower = sentence.to_lowercase();
        let words = segment::words_of(sentence);
        let adds = words.iter().take(OPENING).any(|word| words::has(ALSO, word));
        // "Our cards respect that."
        let ends_back = code == "en" && words.last().is_some_and(|word| words::has("that this these those", word));
        let leads = ELSE.stand_in(&lower);
        // An address or a bracketed placeholder means that the reader is asked for something.
        let announces = ANNOUNCE.stand_in(&lower) || lower.contains(['@', '[']) || promises(sentence, words::of(code));
        let marks = Marks {
            back: points_back(&words, &lower, code) || adds || ends_back,
            announces,
            sets_up: SETUP.stand_in(&lower),
            results: RESULT.stand_in(&lower),
            claims: CLAIM.stand_in(&lower),
        };
        let parts = [
            (marks.back, -POINTS_BACK),
            (leads, -POINTS_ELSEWHERE),
            (announces, -ANNOUNCED),
            (marks.sets_up, -SET_UP),
            (marks.results, RESULTED),
            (marks.claims, CLAIMED),
        ];
        let score = parts.iter().filter(|(holds, _)| *holds).map(|(_, score)| score).sum();
        Self { score, filler: (leads || announces) && score <= FILLER, marks }
    }
}

/// Whether a sentence refers to something an earlier one named: "these interviews", "all three". `words` and `lower`
/// must be in lower case.
fn points_back(words: &[String], lower: &str, code: &str) -> bool {
    static NAME: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(NAMED));
    let demonstratives = demonstratives(code);
    let points = !demonstratives.is_empty() && words.iter().skip(1).any(|word| words::has(demonstratives, word));
    points || code == "en" && (NAME.stand_in(lower) || points_at(words))
}

/// Whether an English sentence refers to something named before: "with both answers", "turns it into that shed". In
/// "that boats sink", the word joins a clause, and "both … and …" names what it counts.
fn points_at(words: &[String]) -> bool {
    const INTO: &str = "of in to with from at by about into on under behind without";
    let at = |i: usize| words.get(i).map_or("", String::as_str);
    let that = (1..words.len()).any(|i| at(i) == "that" && words::has(INTO, at(i - 1)) && i + 1 < words.len());
    let both = words.iter().position(|word| word == "both");
    that || both.is_some_and(|i| !words[i..].iter().any(|word| word == "and") && at(i + 1) != "of")
}

/// Whether a sentence refers to something an earlier one named.
pub(crate) fn refers_back(sentence: &str, lexicon: &Words) -> bool {
    points_back(&segment::words_of(sentence), &sentence.to_lowercase(), lexicon.code)
}

/// Whether a sentence announces what comes, points elsewhere in its document, or speaks of the text itself.
pub(crate) fn announces(sentence: &str, language: &Language) -> bool {
    Worth::of(sentence, words::of(language.primary()).code).filler
}

/// Whether a sentence is independent of all others: it needs no previous sentence, and neither refers to others nor
/// announces what comes.
pub(crate) fn says_alone(sentence: &str, language: &Language) -> bool {
    let lexicon = words::of(language.primary());
    stands_alone(sentence, lexicon) && Worth::of(sentence, lexicon.code).score >= 0.0
}

/// Whether a question is a courtesy without a subject.
pub(crate) fn is_courtesy(question: &str) -> bool {
    static COURTESY: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(COURTESIES));
    COURTESY.stand_in(&question.to_lowercase())
}

/// Words that set a sentence against the previous one, in any language, separated by `|`. The sentence means the same
/// without them.
const TURNING: &str = "but|however|yet|still,|instead,|rather,|aber|doch|jedoch|allerdings|dennoch|trotzdem|stattdessen|mais|cependant|pourtant|néanmoins|toutefois|au lieu de cela|\
    pero|sin embargo|en su lugar|ma|però|tuttavia|invece|mas|porém|no entanto|em vez disso|maar|echter|in plaats daarvan|но|\
    однако|вместо этого|ale|jednak|zamiast tego|しかし|代わりに|但是|然而|相反|लेकिन|इसके बजाय|لكن|بدلاً من ذلك";
/// Minimum words of a sentence that is informative without the one that it contrasts with.
const TURNED_WORDS: usize = 7;

/// Whether a sentence contrasts with the previous one, and is independent without the contrasting word.
pub(crate) fn turns_alone(sentence: &str, lexicon: &Words) -> bool {
    if !words::opens_with(TURNING, sentence) {
        return false;
    }
    unjoined(sentence, lexicon).is_some_and(|rest| {
        // "But not on Mondays." qualifies the previous sentence. "But nobody counts them." makes a claim.
        let denies = words::opens_with("nobody|no one|nothing|none of", &rest);
        let opening = segment::words_of(&rest).into_iter().next().unwrap_or_default();
        let takes_back = words::opens_exception(&rest) || !denies && negates(&opening, lexicon);
        segment::count_words(&rest) >= TURNED_WORDS
            && !takes_back
            && !words::opens_with(TURNING, &rest)
            && stands_alone(&rest, lexicon)
    })
}

fn demonstratives(code: &str) -> &'static str {
    DEMONSTRATIVES.iter().find(|(language, _)| *language == code).map_or("", |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pronouns_need_an_antecedent() {
        let en = words::of("en");
        assert!(!stands_alone("They left early.", en));
        assert!(stands_alone("Teams left early.", en));
        assert!(stands_alone("There are three ways.", en));
        assert!(!stands_alone("Dies gilt immer.", words::of("de")));
        assert!(!stands_alone("It's one that we accept.", en));
        assert!(stands_alone("It’s important to write it down.", en));
        for leaning in [
            "Thus the boats in the harbour sink.",
            "Ada asked the crew to do this, day and night.",
            "We learn from them about how the work is done.",
            "Before the storm, the two of us counted the boats.",
            "To the crew, and to Ada Moor, for being so kind.",
            "Finally, to the crews that mended our boats.",
            "We found and mended this problem in May.",
            "Every harbour will see these two changes differently.",
            "The crew fears that it is too late for that.",
            "Instead give people boats that float.",
            "In addition to the ropes, the crew bought lamps.",
        ] {
            assert!(!stands_alone(leaning, en), "{leaning}");
        }
        for alone in [
            "Boats sink where nobody bails them.",
            "The crew helps people, and people thank them.",
            "Two of the boats sank.",
            "To mend the boats, the crew asked for rope.",
            "To the extent that boats sink, crews mend the rest.",
            "Remember two of them: count the boats, and count the crew.",
            "A problem is easy to see, but this problem is hard to mend.",
            "The crew says that change is hard.",
            "Instead of boats, give people ropes.",
        ] {
            assert!(stands_alone(alone, en), "{alone}");
        }
    }

    #[test]
    fn demonstratives_behind_a_preposition_need_one_too() {
        let (en, de) = (words::of("en"), words::of("de"));
        for leaning in
            ["At that moment, the team stopped.", "With these answers, write a plan.", "Of those, 12 stayed."]
        {
            assert!(!stands_alone(leaning, en), "{leaning}");
        }
        assert!(!stands_alone("To do this, the team met daily.", en));
        assert!(stands_alone("At noon, the team stopped.", en));
        assert!(!stands_alone("Mit diesen Fragen beginnt es.", de));
        assert!(!stands_alone("Zum Beispiel im Garten.", de));
    }

    #[test]
    fn what_was_named_before_is_referred_to() {
        let en = words::of("en");
        for back in
            ["With both answers, the crew can decide.", "Rope makers have turned into that shed.", "The answer is no."]
        {
            assert!(refers_back(back, en), "{back}");
        }
        for alone in
            ["The crew knows that boats sink.", "Both the crew and the master count.", "Both of the piers are new."]
        {
            assert!(!refers_back(alone, en), "{alone}");
        }
        assert!(!stands_alone("Sometimes, that’s on a Monday.", en));
        assert!(!stands_alone("但是这很冷。", words::of("zh")));
    }

    #[test]
    fn claims_are_worth_more_than_announcements_and_references() {
        let worth = |text: &str, code: &str| Worth::of(text, code).score;
        let claim = worth("Teams should write down who decides.", "en");
        let plain = worth("The team met on Mondays.", "en");
        assert!(claim > plain);
        for less in [
            "Answer the following questions.",
            "In the table below, we list all of them.",
            "Let's look at the numbers.",
            "The team changed these interviews.",
        ] {
            assert!(worth(less, "en") < plain, "{less}");
        }
        assert!(worth("Das Team führt diese Gespräche jede Woche.", "de") < plain);
    }
}
