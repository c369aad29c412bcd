//! Word lists for European languages.

use super::Words;

pub(super) const ALL: [Words; 9] = [
    Words {
        code: "en",
        function: "a an the and or but nor so yet of to in on at by for from with without about into onto over under after \
            before between through during within across since against among per as than that which who whom whose what when where why how if \
            then else because while although though until unless is are was were be been being am do does did done have \
            has had having will would shall should can could may might must it its he him his she her they them their we \
            us our you your i me my this these those there here not no only also very more most much many few some any \
            all each every both other another such own same too just even still again ever never out up down off one",
        openers: "however|moreover|furthermore|therefore|thus|hence|consequently|as a result|in addition|additionally|\
            also|besides|for example|for instance|in fact|indeed|of course|in other words|in short|that said|\
            nevertheless|nonetheless|meanwhile|finally|first|firstly|second|secondly|third|thirdly|lastly|instead|\
            and|but|so|yet|still|or|then|now|at the same time|on the other hand|in the end|after all|better still|\
            worse|better|above all|by contrast|in practice|put simply|again|next|plus|well|last|to be fair|to be clear|\
            more importantly|most importantly|interestingly|surprisingly|fortunately|unfortunately|honestly|frankly",
        pointing: "he she it they this that these those his her its their him them such both neither either there here \
            another others otherwise similarly likewise",
        negation: "not no never none nobody nothing neither nor without cannot can't don't doesn't didn't won't isn't \
            aren't wasn't weren't wouldn't shouldn't couldn't hasn't haven't hadn't hardly barely unless except rarely \
            seldom only",
        conditions: "if|unless|except|excluding|excepting|provided|providing|assuming|as long as|so long as|until|\
            till|only|other than|apart from|aside from|subject to|in case|depending|otherwise|but|yet|when|\
            whenever|once|where|wherever|although|though|whereas|while|despite|in spite of|however|barring|\
            save for|instead of|rather than|at least|at most|up to|no later than|before|after",
        limits: "under|over|below|above|beyond|from|starting at|up to|down to|at least|at most|minimum|maximum|min|max|more than|\
            less than|fewer than|exceeding|within|between|per|as of",
        before_figure: "by up down",
        trailing: "which who whose because so although though while whereas since where even but plus including especially particularly such as when then",
        according: "according to|as measured by|as reported by|reported by|found by",
        saying: "says said say adds added explains explained recalls recalled notes noted writes wrote told asks asked puts \
            argues argued admits admitted remembers remembered replies replied joked jokes claims claimed insists insisted",
        calls: "download|get|leave|keep|give|record|turn|add|stop|go|put|let|set|drop|bring|read|try|start|join|sign up|visit|book|follow|subscribe|share|save|write|tell|send|order|\
            register|reserve|grab|learn|see|watch|listen|call|contact|find|discover|explore|request|apply|buy|shop|donate|\
            vote|reply|comment|drop|come|ask|take|use|check|claim|install|print|copy|pick|choose|make|plan|meet|email",
        numbered: "step stage phase | technique strategy practice pillar insight takeaway theme trend goal tip rule reason lesson \
            mistake way habit idea trick myth principle question fact \
            key part point no number chapter section level week day takeaway",
        openings: "introduction|intro|overview|background|context|preface|foreword|prologue|about|about this report",
        closings: "conclusion|conclusions|in conclusion|summary|in summary|the bottom line|bottom line|wrapping up|wrap-up|final thoughts|\
            closing thoughts|takeaways|key takeaways|in short|to sum up|recap|tl;dr|the takeaway|in closing",
        apparatus: "references|sources|footnotes|notes|bibliography|further reading|related|related posts|related articles|\
            acknowledgements|acknowledgments|about the author|comments|table of contents|contents|disclaimer|credits|\
            license|licence|licensing|copyright|see also|further resources|additional resources|more resources|\
            resources|links|useful links|external links|related content|related reading|related links|\
            related stories|more information|learn more|read more|read next|recommended reading|authors|author|\
            about the authors|author bio|contributors|maintainers|sponsors|backers|supporters|star history|toc|\
            in this post|in this article|in this guide|on this page|share|share this|subscribe|newsletter|citation|\
            how to cite|image credits|photo credits|endnotes|works cited|works consulted|tags|categories|\
            special thanks|code of conduct|glossary|postscript|p.s.|ps|update|updates|editor's note|editor’s note|correction|\
            corrections|changelog",
        abbreviations: "e.g i.e etc. etc vs mr mrs ms dr prof st no fig vol approx dept est inc ltd co corp jr sr al ca cf \
            u.s u.k a.m p.m jan feb mar apr jun jul aug sep sept oct nov dec mt gen col sen rep rev hon",
        of_many: "in of out",
        units: "percent % hours hour minutes minute seconds second days day weeks week months month years year people \
            teams customers users members companies employees workers readers households students patients times fold kg \
            kilograms g grams km kilometres kilometers miles mile m metres meters cm mm litres liters l kwh mwh gwh kw mw \
            tonnes tons degrees points percentage dollars euros pounds cents meetings emails messages calls visits \
            downloads orders books plants trees steps pages°c gb mb tb ms h min",
        powers: "thousand=3 k=3 million=6 m=6 mn=6 billion=9 bn=9 b=9 trillion=12 tn=12",
    },
    Words {
        code: "de",
        function: "der die das den dem des ein eine einen einem einer eines und oder aber denn sondern doch von zu zum zur \
            in im ins an am auf aus bei mit nach vor über unter um durch für gegen ohne zwischen während wegen als wie dass \
            ob wenn weil da damit obwohl bis seit ist sind war waren sein bin bist wird werden wurde wurden worden hat \
            haben hatte hatten habe kann können konnte muss müssen soll sollte will wollen darf es er sie ihn ihm ihr ihre \
            ihren ihrem ihrer seine seinen seinem seiner wir uns unser unsere du dich dir dein deine ich mich mir mein meine man sich dieser diese \
            dieses diesen diesem jene jeder jede jedes hier dort nicht kein keine keinen nur auch sehr mehr viel viele \
            einige alle so noch schon immer wieder dann was wer wo wann warum welche",
        openers: "aber|und|denn|doch|also|kurz gesagt|mit anderen worten|zugegeben|außerdem|darüber hinaus|zudem|schließlich",
        pointing: "er sie es dies diese dieser dieses das sein seine ihr ihre ihnen ihm solche solcher beide dort dabei damit \
            dafür dadurch davon daran darin darum deshalb daher deswegen",
        negation: "nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne weder noch kaum nur selten \
            außer",
        conditions: "wenn|falls|sofern|solange|soweit|außer|ausgenommen|ausser|sonst|bis|erst|nur|lediglich|\
            es sei denn|vorausgesetzt|unter der bedingung|bevor|nachdem|sobald|obwohl|obgleich|trotz|aber|\
            doch|jedoch|sondern|mindestens|höchstens|wo|wobei|während|statt|anstatt|abgesehen von|\
            mit ausnahme",
        limits: "unter|über|ab|bis|mindestens|höchstens|minimum|maximum|minimal|maximal|mehr als|weniger als|oberhalb|\
            unterhalb|innerhalb|zwischen|pro|je",
        before_figure: "um",
        trailing: "weil denn da obwohl während sodass wobei indem wo besonders vor allem einschließlich auch doch",
        according: "laut|nach angaben von|nach angaben der|nach angaben des|zufolge|gemäß",
        saying: "sagt sagte erklärt erklärte erzählt erzählte meint meinte schreibt schrieb ergänzt ergänzte berichtet \
            berichtete erinnert",
        calls: "buchen|bestellen|anmelden|sichern|herunterladen|reservieren|mitmachen|entdecken|testen|abonnieren|anrufen|laden|lade|lesen|lies|lest|probieren|probier|starten|starte|melden|melde|besuchen|besuche|besucht|buchen|\
            buche|folgen|folge|folgt|abonnieren|abonniere|teilen|teile|speichern|speichere|schreiben|schreib|schreibt|\
            bestellen|bestelle|reservieren|reserviere|holen|hol|entdecken|entdecke|kommen|komm|kommt|machen|mach|sichern|\
            sichere|kontaktieren|fragen|frag|nehmen|nimm|finden|finde|anmelden|rufen|ruf",
        numbered: "schritt etappe phase | technik strategie ziel tipp regel grund lektion fehler weg idee trick mythos prinzip frage fakt \
            teil punkt nummer nr kapitel abschnitt tag woche these",
        openings: "einleitung|einführung|überblick|hintergrund|vorwort|das problem|worum es geht",
        closings: "fazit|zusammenfassung|schluss|schlusswort|ausblick|auf einen blick|kurz und knapp|das wichtigste|resümee",
        apparatus: "quellen|literatur|literaturverzeichnis|fußnoten|anmerkungen|weiterführende links|über den autor|\
            über die autorin|kommentare|inhalt|inhaltsverzeichnis|impressum|lizenz|urheberrecht|siehe auch|\
            weiterführende literatur|weiterführendes|zum weiterlesen|weiterlesen|mehr zum thema|verwandte artikel|\
            verwandte beiträge|ähnliche artikel|ähnliche beiträge|nützliche links|links|ressourcen|einzelnachweise|\
            endnoten|bildnachweis|bildnachweise|autor|autorin|autoren|über die autoren|danksagung|mitwirkende|\
            in diesem artikel|in diesem beitrag|auf dieser seite|teilen|newsletter|schlagwörter|kategorien|\
            haftungsausschluss|datenschutz|literaturhinweise|quellenangaben|quellen und links|glossar",
        abbreviations: "z.b z d.h d h usw bzw ca dr prof st nr abs bd etc evtl ggf inkl max min mio mrd s u.a u a vgl zzgl \
            hr fr jan feb mär apr jun jul aug sep sept okt nov dez b",
        of_many: "von aus",
        units: "prozent % stunden stunde minuten minute sekunden sekunde tage tag tagen wochen woche monate monat monaten \
            jahre jahr jahren menschen personen kunden nutzer mitglieder betriebe firmen unternehmen beschäftigte leser \
            haushalte familien schüler mal fach kilo kg g gramm km kilometer m meter cm mm liter l kwh grad punkte euro \
            cent bäume pflanzen bücher seiten tonnen dächer bewohner h min",
        powers: "tausend=3 tsd=3 million=6 millionen=6 mio=6 milliarde=9 milliarden=9 mrd=9 billion=12 billionen=12",
    },
    Words {
        code: "fr",
        function: "le la les l un une des du de d et ou mais donc or ni car à au aux en dans sur sous par pour avec sans \
            entre vers chez depuis pendant avant après contre que qui quoi dont où quand comme si parce est sont était \
            étaient être été a ont avait avaient avoir ai fait faire peut peuvent doit doivent il elle ils elles on nous \
            vous je tu me te se lui leur leurs son sa ses notre nos votre vos mon ma mes ce cet cette ces cela ça y ne pas \
            plus moins très aussi même tout toute tous toutes chaque autre autres bien encore toujours jamais qu n s c j",
        openers: "mais|et|or|donc|car|cependant|toutefois|pourtant|en outre|de plus|par ailleurs|ainsi|par conséquent|\
            par exemple|en effet|bien sûr|en bref|enfin|d'abord|ensuite|puis|finalement|en revanche|autrement dit|surtout",
        pointing: "il elle ils elles ce cela ça ceci celui celle ceux celles cet cette ces son sa ses leur leurs lui y là",
        negation: "ne n pas jamais rien personne aucun aucune ni sans guère sauf que",
        conditions: "si|s'il|s’il|s'ils|s’ils|sauf|excepté|hormis|à moins|à condition|pourvu|tant que|jusqu'à|\
            jusqu’à|jusqu'au|jusqu’au|seulement|uniquement|sinon|quand|lorsque|lorsqu|dès que|avant|après|\
            mais|bien que|quoique|malgré|alors que|tandis que|cependant|toutefois|au moins|au plus|en cas|\
            dans le cas|au lieu|plutôt que|à l'exception|à l’exception|où",
        limits: "moins de|plus de|sous|au-dessous|au-dessus|en dessous|à partir|dès|jusqu'à|jusqu’à|au moins|au plus|minimum|\
            maximum|minimal|maximal|inférieur|inférieure|inférieurs|supérieur|supérieure|supérieurs|entre",
        before_figure: "de",
        trailing: "qui car parce puisque alors donc bien tandis où surtout notamment même comme mais quand",
        according: "selon|d'après",
        saying: "dit disait explique expliquait ajoute raconte affirme écrit note résume confie précise répond",
        calls: "téléchargez|lisez|essayez|commencez|rejoignez|inscrivez|visitez|réservez|suivez|abonnez|partagez|enregistrez|\
            écrivez|commandez|découvrez|venez|demandez|prenez|gardez|trouvez|contactez|appelez|participez",
        numbered: "étape phase | technique stratégie objectif conseil astuce règle raison leçon erreur façon idée mythe principe question fait \
            partie point numéro chapitre section semaine jour enseignement",
        openings: "introduction|contexte|aperçu|avant-propos|le problème",
        closings: "conclusion|en résumé|résumé|en bref|pour finir|à retenir|l'essentiel|bilan",
        apparatus: "sources|références|notes|bibliographie|pour aller plus loin|à propos de l'auteur|commentaires|sommaire|\
            licence|droits d'auteur|voir aussi|lectures complémentaires|pour en savoir plus|à lire aussi|lire aussi|\
            en savoir plus|articles liés|articles similaires|articles connexes|sur le même sujet|liens|liens utiles|\
            ressources|ressources complémentaires|notes de bas de page|crédits|crédits photo|auteur|auteurs|\
            à propos de l’auteur|à propos des auteurs|remerciements|contributeurs|dans cet article|sur cette page|\
            table des matières|partager|newsletter|mots-clés|étiquettes|catégories|mentions légales|avertissement|\
            bibliographie et sources",
        abbreviations: "m mme mlle dr pr st ste etc p.ex ex env av apr janv févr juil sept oct nov déc n art vol",
        of_many: "sur",
        units: "% pour heures heure minutes minute secondes jours jour semaines semaine mois ans an années année personnes \
            clients habitants lecteurs membres entreprises salariés foyers familles élèves fois kg kilos g km kilomètres m \
            mètres cm mm litres l kwh degrés points euros centimes arbres plantes livres pages tonnes h min",
        powers: "mille=3 million=6 millions=6 milliard=9 milliards=9 mds=9",
    },
    Words {
        code: "es",
        function: "el la los las un una unos unas y e o u pero sino ni que de del a al en con sin por para sobre entre hasta \
            desde hacia según durante contra como cuando donde quien cual si porque es son era eran ser sido está están \
            estaba ha han había haber he hay tiene tienen puede pueden debe deben se su sus lo le les me te nos mi mis tu \
            tus nuestro nuestra este esta estos estas ese esa esos esas esto eso él ella ellos ellas yo nosotros no más \
            menos muy también ya todo toda todos todas cada otro otra otros otras solo sólo así aún siempre nunca",
        openers: "pero|y|sin embargo|además|por eso|por tanto|por lo tanto|así|por ejemplo|de hecho|por supuesto|en resumen|\
            en cambio|finalmente|primero|segundo|después|luego|entonces|es decir|sobre todo|al final",
        pointing: "él ella ellos ellas esto eso este esta estos estas ese esa esos esas su sus lo le les ambos tal tales ahí allí",
        negation: "no nunca jamás nada nadie ningún ninguna ninguno ni sin apenas salvo sólo solo",
        conditions: "si|salvo|excepto|menos que|a no ser|a condición|siempre que|siempre y cuando|mientras|hasta|\
            solo|sólo|solamente|únicamente|cuando|donde|antes|después|pero|aunque|a pesar|sin embargo|sino|\
            al menos|como máximo|en caso|en lugar|excluido|a menos",
        limits: "menos de|más de|bajo|debajo|encima|inferior|inferiores|superior|superiores|desde|a partir|hasta|al menos|\
            como mínimo|como máximo|mínimo|mínima|máximo|máxima|entre",
        before_figure: "un",
        trailing: "que porque pues ya aunque mientras donde sobre incluso especialmente como cuando pero",
        according: "según|de acuerdo con",
        saying: "dice dijo explica explicó añade añadió cuenta contó afirma afirmó escribe recuerda resume",
        calls: "descarga|descargue|lee|lea|prueba|pruebe|empieza|únete|inscríbete|visita|visite|reserva|sigue|suscríbete|\
            comparte|guarda|escribe|escríbenos|pide|descubre|ven|pregunta|toma|encuentra|contacta|llama|participa|regístrate",
        numbered: "paso etapa fase | técnica estrategia objetivo consejo regla razón lección error forma idea truco mito principio pregunta dato \
            parte punto capítulo sección semana día",
        openings: "introducción|contexto|resumen general|antecedentes|el problema",
        closings: "conclusión|conclusiones|resumen|en resumen|para terminar|lo esencial|en pocas palabras",
        apparatus: "fuentes|referencias|notas|bibliografía|para saber más|sobre el autor|sobre la autora|comentarios|índice|\
            licencia|derechos de autor|véase también|ver también|lecturas adicionales|lecturas recomendadas|\
            más información|leer más|artículos relacionados|entradas relacionadas|contenido relacionado|enlaces|\
            enlaces útiles|enlaces externos|recursos|recursos adicionales|notas al pie|notas a pie de página|\
            créditos|autor|autora|autores|sobre los autores|agradecimientos|colaboradores|en este artículo|\
            en esta página|contenido|contenidos|tabla de contenidos|tabla de contenido|compartir|boletín|etiquetas|\
            categorías|aviso legal|descargo de responsabilidad",
        abbreviations: "sr sra srta dr dra d dña etc p.ej ej aprox núm pág vol ud uds ee.uu ene feb mar abr jun jul ago sept oct \
            nov dic",
        of_many: "de",
        units: "% por horas hora minutos minuto segundos días día semanas semana meses mes años año personas clientes usuarios \
            socios empresas trabajadores lectores hogares familias alumnos veces kg kilos g km kilómetros m metros cm mm litros \
            l kwh grados puntos euros céntimos árboles plantas libros páginas toneladas h min",
        powers: "mil=3 millón=6 millones=6",
    },
    Words {
        code: "it",
        function: "il lo la i gli le l un uno una e ed o ma però né che di del dello della dei degli delle a al allo alla ai \
            agli alle da dal dalla in nel nella nei nelle con su sul sulla per tra fra senza come quando dove chi cui se \
            perché è sono era erano essere stato ha hanno aveva avere ho c può possono deve devono si suo sua suoi sue loro \
            lo gli mi ti ci vi mio mia tuo tua nostro questa questo questi queste quello quella non più meno molto anche già \
            tutto tutta tutti tutte ogni altro altra altri solo così ancora sempre mai",
        openers: "ma|e|però|tuttavia|inoltre|quindi|perciò|così|per esempio|ad esempio|infatti|naturalmente|in breve|invece|\
            infine|poi|prima|dopo|cioè|soprattutto|alla fine",
        pointing: "lui lei esso essa loro questo questa questi queste quello quella ciò suo sua suoi sue entrambi lì là",
        negation: "non mai niente nulla nessuno nessuna né senza appena tranne solo",
        conditions: "se|salvo|tranne|eccetto|a meno|a condizione|purché|finché|fino|solo|soltanto|solamente|quando|\
            dove|prima|dopo|ma|però|anche se|sebbene|benché|nonostante|tuttavia|bensì|almeno|al massimo|\
            in caso|nel caso|invece|ad eccezione|altrimenti|qualora",
        limits: "meno di|più di|sotto|sopra|inferiore|inferiori|superiore|superiori|da|dal|dai|a partire|fino|almeno|al massimo|\
            minimo|minima|massimo|massima|tra|entro|oltre",
        before_figure: "del",
        trailing: "che perché poiché anche mentre dove soprattutto compreso come quando ma",
        according: "secondo|stando a",
        saying: "dice disse spiega spiegò aggiunge aggiunse racconta afferma scrive ricorda riassume",
        calls: "scarica|leggi|prova|inizia|unisciti|iscriviti|visita|prenota|segui|abbonati|condividi|salva|scrivi|scrivici|\
            ordina|scopri|vieni|chiedi|prendi|trova|contatta|chiama|partecipa|registrati",
        numbered: "passo fase tappa | consiglio regola ragione motivo lezione errore modo idea trucco mito principio \
            domanda fatto parte punto capitolo sezione settimana giorno",
        openings: "introduzione|contesto|panoramica|premessa|il problema",
        closings: "conclusione|conclusioni|riassunto|in breve|in sintesi|sintesi|per concludere|da ricordare",
        apparatus: "fonti|riferimenti|note|bibliografia|per approfondire|sull'autore|commenti|indice|licenza|\
            diritti d'autore|vedi anche|letture consigliate|ulteriori letture|maggiori informazioni|leggi anche|\
            articoli correlati|contenuti correlati|link|link utili|collegamenti|collegamenti esterni|risorse|\
            risorse aggiuntive|note a piè di pagina|crediti|autore|autrice|autori|sull’autore|\
            informazioni sull'autore|ringraziamenti|collaboratori|in questo articolo|in questa pagina|sommario|\
            contenuti|condividi|newsletter|tag|categorie|note legali|disclaimer",
        abbreviations: "sig sig.ra dott dr prof ing ecc es p.es pag vol n ca gen feb mar apr mag giu lug ago set ott nov dic",
        of_many: "su",
        units: "% per ore ora minuti minuto secondi giorni giorno settimane settimana mesi mese anni anno persone clienti utenti \
            soci aziende lavoratori lettori famiglie studenti volte kg chili g km chilometri m metri cm mm litri l kwh gradi \
            punti euro centesimi alberi piante libri pagine tonnellate h min",
        powers: "mila=3 milione=6 milioni=6 miliardo=9 miliardi=9",
    },
    Words {
        code: "pt",
        function: "o a os as um uma uns umas e ou mas nem que de do da dos das em no na nos nas a ao à aos às com sem por pelo \
            pela para sobre entre até desde durante contra como quando onde quem qual se porque é são era eram ser sido está \
            estão estava foi foram há tem têm tinha ter pode podem deve devem se seu sua seus suas lhe me te nos meu minha \
            este esta estes estas esse essa isso isto aquele aquela ele ela eles elas eu nós você vocês não mais menos muito \
            também já todo toda todos todas cada outro outra outros só assim ainda sempre nunca",
        openers: "mas|e|no entanto|porém|contudo|além disso|por isso|portanto|assim|por exemplo|de fato|claro|em resumo|\
            por outro lado|finalmente|primeiro|depois|então|ou seja|sobretudo|no fim",
        pointing: "ele ela eles elas isto isso este esta estes estas esse essa esses essas seu sua seus suas ambos tal ali lá",
        negation: "não nunca jamais nada ninguém nenhum nenhuma nem sem mal exceto só",
        conditions: "se|salvo|exceto|excepto|a menos|a não ser|desde que|contanto|enquanto|até|só|somente|apenas|\
            quando|onde|antes|depois|mas|porém|embora|apesar|no entanto|contudo|senão|pelo menos|no máximo|\
            em caso|caso|em vez|à exceção|com exceção",
        limits: "menos de|mais de|abaixo|acima|inferior|inferiores|superior|superiores|desde|a partir|até|pelo menos|no mínimo|\
            no máximo|mínimo|mínima|máximo|máxima|entre",
        before_figure: "",
        trailing: "que porque pois embora enquanto onde sobretudo inclusive como quando mas",
        according: "segundo|de acordo com|conforme",
        saying: "diz disse explica explicou acrescenta conta contou afirma afirmou escreve lembra resume",
        calls: "baixe|descarregue|leia|experimente|comece|junte|inscreva|visite|reserve|siga|assine|compartilhe|partilhe|salve|\
            guarde|escreva|peça|descubra|venha|pergunte|pegue|encontre|contacte|ligue|participe|cadastre",
        numbered: "passo etapa fase | dica regra razão lição erro forma ideia truque mito princípio pergunta fato \
            parte ponto capítulo seção secção semana dia",
        openings: "introdução|contexto|visão geral|o problema",
        closings: "conclusão|conclusões|resumo|em resumo|para terminar|o essencial|considerações finais",
        apparatus: "fontes|referências|notas|bibliografia|para saber mais|sobre o autor|sobre a autora|comentários|índice|\
            licença|direitos autorais|veja também|ver também|leituras adicionais|leitura adicional|mais informações|\
            leia mais|leia também|artigos relacionados|posts relacionados|conteúdo relacionado|links|links úteis|\
            ligações externas|recursos|recursos adicionais|notas de rodapé|créditos|autor|autora|autores|\
            sobre os autores|agradecimentos|contribuidores|neste artigo|nesta página|conteúdo|sumário|compartilhar|\
            partilhar|newsletter|etiquetas|categorias|aviso legal",
        abbreviations: "sr sra dr dra prof etc p.ex ex aprox nº pág vol jan fev mar abr mai jun jul ago set out nov dez",
        of_many: "em de",
        units: "% por horas hora minutos minuto segundos dias dia semanas semana meses mês anos ano pessoas clientes usuários \
            utilizadores membros empresas trabalhadores leitores famílias alunos vezes kg quilos g km quilómetros m metros cm \
            mm litros l kwh graus pontos euros reais centavos árvores plantas livros páginas toneladas h min",
        powers: "mil=3 milhão=6 milhões=6 bilhão=9 bilhões=9",
    },
    Words {
        code: "nl",
        function: "de het een en of maar want dus dat die dit deze van voor naar in op aan met zonder bij uit over onder tegen \
            tussen door om tot tijdens na als dan toen wanneer waar wie wat hoe omdat terwijl is zijn was waren ben bent \
            wordt worden werd werden heeft hebben had hadden kan kunnen moet moeten zal zullen wil er het hij zij ze hem \
            haar hun wij we ons onze jij je jouw u uw ik mij mijn men zich niet geen alleen ook zeer meer veel alle elke \
            ander andere nog al altijd nooit weer te",
        openers: "maar|en|want|dus|kortom|met andere woorden|bovendien|daarnaast|ten slotte",
        pointing: "hij zij ze het dit dat deze die zijn haar hun hem daar daarmee daarom daardoor daarvan zulke beide",
        negation: "niet geen nooit niemand niets zonder noch nauwelijks zelden behalve alleen",
        conditions: "als|indien|tenzij|behalve|uitgezonderd|mits|zolang|tot|totdat|alleen|slechts|enkel|wanneer|waar|\
            zodra|voordat|nadat|maar|hoewel|ondanks|echter|terwijl|anders|minstens|hoogstens|op voorwaarde|\
            in plaats van|met uitzondering",
        limits: "onder|boven|vanaf|tot|minstens|hoogstens|minimaal|maximaal|minimum|maximum|meer dan|minder dan|binnen|tussen|per",
        before_figure: "met",
        trailing: "omdat want doordat hoewel terwijl zodat waar waarbij vooral ook toen maar",
        according: "volgens",
        saying: "zegt zei vertelt vertelde schrijft schreef legt voegt herinnert meent",
        calls: "download|lees|probeer|begin|meld|bezoek|boek|volg|abonneer|deel|bewaar|schrijf|bestel|ontdek|kom|vraag|neem|\
            vind|bel|doe",
        numbered: "stap fase | tip regel reden les fout manier idee truc mythe principe vraag feit deel punt hoofdstuk \
            sectie week dag",
        openings: "inleiding|overzicht|achtergrond|het probleem",
        closings: "conclusie|samenvatting|tot slot|kortom|in het kort|slot",
        apparatus: "bronnen|referenties|noten|literatuur|verder lezen|over de auteur|reacties|inhoud|licentie|auteursrecht|\
            zie ook|verdere informatie|meer informatie|meer lezen|lees meer|lees ook|gerelateerd|\
            gerelateerde artikelen|gerelateerde berichten|links|nuttige links|externe links|hulpbronnen|voetnoten|\
            eindnoten|credits|colofon|auteur|auteurs|over de auteurs|dankwoord|bijdragers|in dit artikel|\
            op deze pagina|inhoudsopgave|delen|nieuwsbrief|trefwoorden|categorieën|disclaimer|bronvermelding",
        abbreviations: "bijv bv d.w.z enz etc dr prof dhr mevr nr ca blz o.a jan feb mrt apr jun jul aug sep okt nov dec",
        of_many: "op van",
        units: "% procent uur uren minuten minuut seconden dagen dag weken week maanden maand jaar jaren mensen klanten \
            gebruikers leden bedrijven werknemers lezers huishoudens leerlingen keer maal kg kilo g km kilometer m meter cm mm \
            liter l kwh graden punten euro cent bomen planten boeken ton h min",
        powers: "duizend=3 miljoen=6 mln=6 miljard=9 mld=9",
    },
    Words {
        code: "ru",
        function: "и в во не что он на я с со как а то все всё она так его но да ты к у же вы за бы по только ее её мне было \
            вот от меня еще ещё нет о из ему теперь когда даже ну вдруг ли если уже или ни быть был него до вас нибудь опять \
            уж вам ведь там потом себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без будто \
            чего раз тоже себе под будет ж тогда кто этот того потому этого какой совсем ним здесь этом один почти мой тем \
            чтобы нее неё сейчас были куда зачем всех никогда можно при наконец два об другой хоть после над больше тот \
            через эти нас про всего них какая много разве три эту моя свою этой перед иногда лучше чуть том нельзя такой им \
            более всегда конечно всю между это",
        openers: "но|и|а|однако|кроме того|поэтому|следовательно|например|конечно|в общем|короче говоря|наконец|во-первых|\
            во-вторых|в-третьих|потом|затем|зато|иными словами|другими словами|впрочем|к тому же|более того",
        pointing: "он она оно они это этот эта эти то тот та те его её ее их ему ей им такой такая такие там оба здесь",
        negation: "не нет ни никогда никто ничего ничто никакой без нельзя едва только кроме",
        conditions: "если|кроме|исключением|исключая|при условии|пока|до тех пор|только|лишь|когда|где|прежде|после|\
            до|но|а|однако|хотя|несмотря|зато|иначе|разве|по крайней мере|не более|не менее|в случае|вместо|\
            либо",
        limits: "до|от|свыше|более|менее|больше|меньше|выше|ниже|минимум|максимум|начиная|в пределах|между",
        before_figure: "на",
        trailing: "потому так поэтому хотя который которая которое которые где когда особенно включая ведь",
        according: "по данным|согласно|по словам|по оценке",
        saying: "говорит говорил говорила сказал сказала рассказывает рассказал рассказала объясняет объяснил объяснила пишет \
            добавляет добавил добавила вспоминает отмечает считает признаётся",
        calls: "скачайте|читайте|прочитайте|попробуйте|начните|присоединяйтесь|запишитесь|записывайтесь|посетите|подпишитесь|\
            подписывайтесь|поделитесь|сохраните|напишите|пишите|закажите|узнайте|приходите|спросите|возьмите|найдите|звоните|\
            расскажите|зарегистрируйтесь|заходите|пришлите|отправьте|оставьте|напишите нам|посмотрите",
        numbered: "шаг этап | совет правило причина урок ошибка способ идея приём миф принцип вопрос факт часть пункт \
            глава раздел неделя день",
        openings: "введение|вступление|обзор|предыстория|проблема",
        closings: "заключение|вывод|выводы|итог|итоги|кратко|коротко|главное|в двух словах|подведём итоги",
        apparatus: "источники|ссылки|примечания|литература|список литературы|об авторе|комментарии|содержание|оглавление|\
            лицензия|авторские права|см. также|смотрите также|читайте также|дополнительная литература|\
            дополнительные материалы|что почитать|подробнее|похожие статьи|связанные статьи|по теме|полезные ссылки|\
            внешние ссылки|ресурсы|дополнительные ресурсы|сноски|благодарности|автор|авторы|об авторах|участники|\
            в этой статье|на этой странице|поделиться|рассылка|теги|метки|категории|отказ от ответственности|\
            использованная литература|список источников",
        abbreviations: "т.е т.д т.п т е д п г гг др пр руб тыс млн млрд см им ул стр рис проф акад",
        of_many: "из",
        units: "% процент процента процентов процентами час часа часов минут минуты минуту секунд дней день дня недель недели неделю месяцев \
            месяца месяц лет год года человек людей раз раза семей читателей клиентов компаний жителей кг г км м см мм л \
            литров метров километров градусов рублей рубля евро книг страниц деревьев растений тонн квт·ч ч мин",
        powers: "тысяча=3 тысячи=3 тысяч=3 тыс=3 миллион=6 миллиона=6 миллионов=6 млн=6 миллиард=9 миллиарда=9 миллиардов=9 млрд=9",
    },
    Words {
        code: "el",
        function: "ο η το οι τα του της των τον την τους τις ένας μια μία ένα και ή αλλά ούτε μα όμως που πως ότι να θα δεν \
            δε μην με σε στο στη στην στον στα στις στους από για προς κατά μετά πριν χωρίς μεταξύ ως όπως όταν όπου αν γιατί \
            επειδή ενώ είναι ήταν είμαι είχε έχει έχουν έχω είχαν μπορεί μπορούν πρέπει αυτός αυτή αυτό αυτοί αυτές αυτά εγώ \
            εσύ εμείς εσείς μου σου μας σας τι ποιος ποια πώς πού πολύ πιο περισσότερο λίγο όλα όλοι όλες κάθε άλλο άλλος \
            άλλη μόνο επίσης ακόμη ακόμα πάντα ποτέ εδώ εκεί ήδη λοιπόν κι",
        openers: "αλλά|και|κι|όμως|ωστόσο|επιπλέον|επομένως|άρα|λοιπόν|για παράδειγμα|φυσικά|τελικά|πρώτα|έπειτα|δηλαδή|\
            με άλλα λόγια|εξάλλου|μα",
        pointing: "αυτός αυτή αυτό αυτοί αυτές αυτά εκείνος εκείνη εκείνο τέτοιος τέτοια εκεί εδώ έτσι",
        negation: "δεν δε μην μη ποτέ κανείς κανένας καμία κανένα τίποτα ούτε χωρίς μόνο εκτός",
        conditions: "αν|εάν|εκτός|πλην|εφόσον|αρκεί|υπό τον όρο|μέχρι|ώσπου|ωσότου|μόνο|μόνον|όταν|όπου|πριν|αφού|\
            μετά|αλλά|όμως|ωστόσο|παρόλο|παρά|ενώ|αλλιώς|διαφορετικά|τουλάχιστον|το πολύ|σε περίπτωση|αντί",
        limits: "κάτω|πάνω|άνω|έως|μέχρι|από|τουλάχιστον|το πολύ|ελάχιστο|μέγιστο|περισσότερο|λιγότερο|μεταξύ|εντός",
        before_figure: "κατά",
        trailing: "γιατί επειδή διότι αν ενώ όπου ιδίως όταν αφού ώστε",
        according: "σύμφωνα με",
        saying: "λέει είπε εξηγεί εξήγησε προσθέτει πρόσθεσε γράφει έγραψε θυμάται διηγείται σημειώνει",
        calls: "κατεβάστε|διαβάστε|δοκιμάστε|ξεκινήστε|γραφτείτε|εγγραφείτε|επισκεφθείτε|κλείστε|ακολουθήστε|μοιραστείτε|\
            αποθηκεύστε|γράψτε|παραγγείλτε|ανακαλύψτε|ελάτε|ρωτήστε|πάρτε|βρείτε|καλέστε|στείλτε|δείτε",
        numbered: "βήμα στάδιο φάση | συμβουλή κανόνας λόγος μάθημα λάθος τρόπος ιδέα μύθος αρχή ερώτηση μέρος σημείο \
            κεφάλαιο ενότητα εβδομάδα ημέρα",
        openings: "εισαγωγή|πρόλογος|επισκόπηση|το πρόβλημα",
        closings: "συμπέρασμα|συμπεράσματα|περίληψη|με δυο λόγια|επίλογος|εν κατακλείδι|συνοψίζοντας",
        apparatus: "πηγές|αναφορές|σημειώσεις|βιβλιογραφία|σχετικά|σχόλια|περιεχόμενα|άδεια|πνευματικά δικαιώματα|\
            δείτε επίσης|βλέπε επίσης|διαβάστε επίσης|περαιτέρω ανάγνωση|περισσότερες πληροφορίες|\
            διαβάστε περισσότερα|σχετικά άρθρα|σύνδεσμοι|χρήσιμοι σύνδεσμοι|πόροι|υποσημειώσεις|ευχαριστίες|\
            συγγραφέας|συγγραφείς|σχετικά με τον συγγραφέα|συντελεστές|σε αυτό το άρθρο|σε αυτή τη σελίδα|\
            πίνακας περιεχομένων|κοινοποίηση|ετικέτες|κατηγορίες|αποποίηση ευθύνης",
        abbreviations: "π.χ π χ κ.λπ κ λπ δηλ κ.ά δρ κος κα αρ σελ",
        of_many: "στους στις στα από",
        units: "% τοις ώρες ώρα ώρας λεπτά λεπτό ημέρες μέρες ημέρα εβδομάδες εβδομάδα μήνες μήνας χρόνια χρόνος έτη άνθρωποι \
            πελάτες οικογένειες αναγνώστες μέλη εταιρείες φορές κιλά γραμμάρια χιλιόμετρα χλμ μέτρα λίτρα βαθμούς ευρώ δέντρα \
            φυτά βιβλία σελίδες τόνοι",
        powers: "χιλιάδες=3 εκατομμύριο=6 εκατομμύρια=6 εκατ=6 δισεκατομμύρια=9 δισ=9",
    },
];
