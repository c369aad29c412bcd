//! Phrases by which texts speak about themselves and their site rather than their subject: invitations, credits,
//! editors' notes.

/// The phrases of a language, in lower case, separated by `|`.
pub(crate) struct Boiler {
    /// BCP 47 primary subtag.
    pub code: &'static str,
    /// Invitations to read on, share, follow or subscribe. A short sentence that contains one says nothing else.
    pub invites: &'static str,
    /// Statements about the text itself: where it was first published, what it is part of, what it is about to do.
    pub selves: &'static str,
    /// Openings of lines that are not prose: credits, bylines, tags.
    pub opens: &'static str,
    /// Whole lines of a page's boilerplate.
    pub lines: &'static str,
}

/// Returns the phrases of every language.
pub(crate) fn all() -> &'static [Boiler] {
    &ALL
}

static ALL: [Boiler; 16] = [
    Boiler {
        code: "en",
        invites: "click here|click below|click the link|click on the link|clicking here|clicking the link|tap here|read more|\
            continue reading|keep reading|read the full|read the rest|read the original|learn more here|\
            find out more here|more information here|see more here|check out the|check out our|check out this|\
            check out my|check out these|check out his|check out her|check out their|check out some|check out a few|\
            check out how|check out what|check it out|check them out|check out|go check|subscribe to|subscribe now|\
            subscribe here|please subscribe|sign up for our|sign up for the newsletter|sign up for updates|sign up here|\
            sign up to our|sign up for email|follow us|follow me|follow along on|find us on|find me on|connect with us|\
            connect with me|like us on|join us on twitter|join us on slack|join our slack|join our discord|\
            join the discord|tell your friends|spread the word about this|leave a comment|in the comments|comment below|\
            comments below|leave us a comment|let us know what you think|let me know what you think|stay tuned|\
            thanks for reading|thank you for reading|happy reading|happy coding|happy hacking|watch the video|\
            watch the full|watch this video|video below|listen to the episode|listen to the full|listen below|\
            view the slides|slides are available|see the slides|slides from|visit our website|visit our site|\
            visit our blog|buy me a coffee|support me on|become a patron|star us on|star this|give it a star|\
            give us a star|ping me on|dm me|read on for|for more information, see|for more details, see|\
            for more information, visit|for more info, see|for more on this|you can find more information|\
            you can read more|you can learn more|you can find the full|you can find the code|source code is available|\
            code is available on|full transcript|transcript is available|view this email|unsubscribe|\
            update your preferences|repost this|repost if|follow for more|save this post|save this for later|like and share|\
            tag a friend|tag someone who|link in bio|link in the comments|link in comments|bottom of this post|bottom of this page|end of this post|end of this article|end of this page|our newsletter|my newsletter|to the newsletter|join the newsletter|\
            weekly newsletter|our mailing list|the mailing list|share this post|share this article|share this page|\
            share this with your|share this story",
        selves: "contributors to this report|contributors to this post|contributors to this article|contributed to this post|contributed to this report|contributed to this article|special thanks to|many thanks to|thanks also to|sincere thanks to|words of thanks|i’d like to thank|i'd like to thank|we’d like to thank|we'd like to thank|i would like to thank|we would like to thank|i want to thank|we want to thank|tomorrow, we’ll share|tomorrow, we'll share|next week, we’ll share|next week, we'll share|in this post|in this article|in this blog post|in this blog|in this interview|in this episode|in this video|\
            in this series|in this newsletter|in this issue we|in this tutorial|in this guide|this post is|\
            this post was|this post will|this post has|this article is|this article was|this article will|\
            this article has|this blog post|this blog is|this blog was|this interview was|this interview has been|\
            this interview is|this story was|this story has been|this piece was|this essay was|this is part|\
            is part of a series|part of our series|part of a series|part of an ongoing|first in a series|\
            second in a series|third in a series|last in a series|first post in|second post in|third post in|\
            final post in|next post in|in our last post|in our previous post|in my last post|in my previous post|\
            in a previous post|in an earlier post|in our next post|in the next post|in a future post|in future posts|\
            in the last post|in the previous post|last post|previous post|next post|next blog post|upcoming post|\
            future blog post|follow-up post|originally published|originally appeared|originally posted|\
            was first published|first appeared|cross-posted|crossposted|republished|reposted from|reprinted|\
            an earlier version of this|a version of this|has been edited for|edited for length|edited for clarity|\
            last updated|editor's note|editor’s note|editors' note|editors’ note|author's note|author’s note|guest post|\
            guest blog|cross post|the views expressed|opinions expressed|views are my own|opinions are my own|\
            affiliate link|sponsored post|disclosure:|disclaimer:|full disclosure|this translation|view the original|\
            table of contents below|this post has been updated|this article has been updated|post was updated on|\
            article was updated on",
        opens: "photo by|photos by|photo:|photo credit|photo courtesy|photograph by|photography by|image by|image:|images:|\
            image credit|image courtesy|image source|image via|picture by|picture:|illustration by|illustration:|\
            graphic by|graphic:|artwork by|screenshot:|screenshot of|screenshot from|caption:|alt text|credit:|credits:|\
            courtesy of|cover image|header image|hero image|featured image|feature image|video by|video:|watch:|listen:|\
            podcast:|figure caption|posted by|posted on|posted in|posted at|published by|published on|published in|\
            published:|written by|author:|authors:|filed under|tags:|tagged:|tagged with|categories:|category:|topics:|\
            reading time|estimated reading|min read|minutes read|last modified|last edited|updated on|edited by|\
            reviewed by|translated by|via:|h/t|hat tip|sent from my|begin forwarded|forwarded message|copyright|©|\
            (c) 20|all rights reserved|licensed under|this work is licensed|except where otherwise noted|share on|\
            tweet this|click to tweet|skip to content|skip to main|skip to navigation|jump to navigation|back to top|return to top|back to the top|go back to top|\
            see also:|related:|read also|read next|also read|recommended reading|more from|previous:|next:|←|prev:|\
            source code:|discuss on|discussion on|comments (|leave a reply|edit this page|edit on github|edit page|\
            improve this page|view source|view on github|try it online|learn more about|learn more at|learn more:|\
            find out more|read more|to learn more, |see more|for more information|for more details|for more, |\
            for further reading|more information:|watch the|listen to the episode|want to learn more|want to know more|\
            interested in learning more|if you want to learn more|if you'd like to learn more|\
            if you’d like to learn more|if you would like to learn more|if you are interested in learning more|\
            if you're interested in learning more",
        lines: "share|tweet|email|print|menu|search|home|login|log in|sign in|sign up|subscribe|advertisement|ad|sponsored|\
            related|next|previous|prev|contents|table of contents|skip to content|back to top|top|all rights reserved|\
            privacy policy|terms of service|terms of use|cookie policy|click to expand|click to enlarge|expand|\
            show more|show details|details|more|see more|read more|view all|see all|view on github|edit this page|\
            comments|no comments|leave a comment|credits|notes|tl;dr|toc|summary|advertisement continues below|\
            continue reading|recommended|trending|popular|latest|tags|categories|archives|about the author|about us|\
            contact us|follow us|download|watch video|listen|transcript|video|image|photo|figure|gallery|slideshow|\
            source|sources|credit|go back|return|continue|learn more|find out more|get started|rss|github|twitter|\
            facebook|linkedin|instagram|youtube|english|deutsch|español|français|italiano|português|日本語|中文|简体中文|繁體中文|\
            한국어|русский",
    },
    Boiler {
        code: "de",
        invites: "hier klicken|klicken sie hier|klick hier|klicke hier|klickt hier|auf den link|mehr lesen|weiterlesen|\
            lesen sie mehr|lies mehr|lest mehr|jetzt lesen|mehr erfahren|mehr dazu|mehr infos hier|\
            weitere informationen finden sie|weitere infos unter|alle infos hier|zum ganzen artikel|zum vollständigen|\
            den ganzen artikel|abonnieren sie|jetzt abonnieren|abonniere|abonniert|folgen sie uns|folge uns|folgt uns|\
            folge mir|folgt mir|teilen sie diesen|teile diesen|teilt diesen|artikel teilen|beitrag teilen|\
            schreib uns einen kommentar|hinterlasse einen kommentar|in den kommentaren|kommentiere|danke fürs lesen|\
            danke für das lesen|viel spaß beim lesen|das video ansehen|im video|zum video|zum podcast|hier geht es zum|\
            hier geht’s zum|hier geht's zum|hier geht es zur|hier finden sie|hier findest du|schau mal vorbei|\
            schauen sie vorbei|bleiben sie dran|bleib dran|spendier mir|unterstütze uns auf",
        selves: "möchte ich mich bei|möchten wir uns bei|herzlichen dank an|in diesem beitrag|in diesem artikel|in diesem blogbeitrag|in diesem post|in diesem blog|in diesem interview|\
            in dieser folge|in diesem video|in dieser serie|dieser beitrag ist|dieser beitrag wurde|\
            dieser beitrag erschien|dieser beitrag soll|dieser artikel ist|dieser artikel wurde|dieser artikel erschien|\
            dieser artikel soll|dieser text erschien|dieser text ist|dieses interview wurde|dieses interview erschien|\
            zuerst erschienen|zuerst veröffentlicht|erstmals erschienen|ursprünglich erschienen|\
            ursprünglich veröffentlicht|teil einer serie|teil unserer serie|teil der serie|im nächsten beitrag|\
            im letzten beitrag|im nächsten teil|im ersten teil|anmerkung der redaktion|anm. d. red|gastbeitrag|\
            zuletzt aktualisiert|aktualisiert am|letzte aktualisierung|hinweis der redaktion|enthält werbung|\
            affiliate-link",
        opens: "foto:|fotos:|foto von|bild:|bilder:|bild von|bildquelle|bildnachweis|bildrechte|titelbild|beitragsbild|\
            quelle:|grafik:|illustration:|video:|veröffentlicht am|veröffentlicht von|geschrieben von|autor:|autorin:|\
            autoren:|schlagwörter|schlagworte|stichworte:|kategorie:|kategorien:|lesezeit|lesedauer|tags:|\
            alle rechte vorbehalten|lizenz:|siehe auch|lesen sie auch|lies auch|auch interessant|das könnte sie|\
            das könnte dich|mehr zum thema|nach oben|zum inhalt|zurück zu|zurück nach|vorheriger|nächster|\
            von meinem iphone gesendet|ursprüngliche nachricht|weitergeleitete nachricht",
        lines: "teilen|drucken|menü|suche|startseite|anzeige|werbung|weiter|zurück|inhalt|inhaltsverzeichnis|mehr|\
            mehr anzeigen|mehr erfahren|weiterlesen|alle anzeigen|kommentare|keine kommentare|impressum|datenschutz|agb|\
            nach oben|zum inhalt springen|anmelden|einloggen|newsletter|folgen sie uns|folge uns|kontakt|details|bild|\
            foto|video|galerie|quelle|quellen|tags|schlagwörter|übersicht|empfohlen|beliebt",
    },
    Boiler {
        code: "fr",
        invites: "cliquez ici|clique ici|cliquez sur|cliquer ici|lire la suite|lire plus|en savoir plus|pour en savoir plus|\
            lisez la suite|lire l'article|lire l’article|l'article complet|l’article complet|lettre d'information|\
            lettre d’information|infolettre|abonnez-vous|abonne-toi|s'abonner|s’abonner|suivez-nous|suis-nous|\
            suivez-moi|retrouvez-nous sur|partagez cet|partage cet|partager cet|partagez l'article|\
            laissez un commentaire|laisser un commentaire|dans les commentaires|en commentaire|merci de votre lecture|\
            merci d'avoir lu|merci d’avoir lu|bonne lecture|voir la vidéo|regardez la vidéo|vidéo ci-dessous|\
            écoutez l'épisode|écoutez l’épisode|télécharger le pdf|plus d'informations ici|plus d’informations ici|\
            plus d'infos ici|rendez-vous sur notre site|jetez un œil|jetez un oeil|consultez notre|consultez le site|\
            restez à l'écoute|restez à l’écoute|inscrivez-vous à notre|inscrivez-vous à la newsletter",
        selves: "je tiens à remercier|nous tenons à remercier|dans cet article|dans ce billet|dans ce post|dans cette interview|dans cet entretien|dans cet épisode|\
            dans cette vidéo|dans cette série|cet article est|cet article a|cet article fait|cet article vise|\
            ce billet est|ce billet a|ce billet fait|cette interview a|cet entretien a|publié à l'origine|\
            publié à l’origine|initialement publié|publié initialement|paru initialement|publié pour la première fois|\
            fait partie d'une série|fait partie d’une série|premier article d'une série|dans le prochain article|\
            dans un prochain article|dans un précédent article|dans le précédent article|note de la rédaction|ndlr|\
            note de l'éditeur|note de l’éditeur|article invité|mis à jour le|dernière mise à jour|article sponsorisé|\
            lien affilié",
        opens: "photo :|photo:|photos :|photo de|crédit photo|crédits photo|crédit :|crédits :|image :|image:|\
            illustration :|illustration de|infographie :|source :|vidéo :|publié le|publié par|publié dans|posté le|\
            posté par|écrit par|rédigé par|auteur :|auteurs :|autrice :|mots-clés|mots clés|étiquettes|tags :|catégorie|\
            temps de lecture|tous droits réservés|licence :|voir aussi|à lire aussi|lire aussi|à lire également|\
            articles similaires|articles liés|sur le même sujet|retour en haut|haut de page|retour à|aller au contenu|\
            précédent :|suivant :|envoyé de mon|message transféré",
        lines: "partager|imprimer|menu|rechercher|recherche|accueil|connexion|publicité|suivant|précédent|sommaire|\
            table des matières|plus|voir plus|en savoir plus|lire la suite|tout voir|commentaires|aucun commentaire|\
            mentions légales|politique de confidentialité|haut de page|s'inscrire|s'abonner|suivez-nous|contact|détails|\
            image|photo|vidéo|source|sources|étiquettes|recommandé|populaire",
    },
    Boiler {
        code: "es",
        invites: "haz clic aquí|haga clic aquí|haz click aquí|hacer clic aquí|haciendo clic|pincha aquí|pulsa aquí|clic aquí|\
            leer más|lee más|lea más|seguir leyendo|sigue leyendo|continuar leyendo|leer el artículo|\
            más información aquí|más información en|para más información|para saber más|saber más|boletín|\
            lista de correo|suscríbete|suscríbase|suscribirse a|síguenos|síganos|sígueme|comparte este|comparta este|\
            compartir este|deja un comentario|deje un comentario|en los comentarios|gracias por leer|feliz lectura|\
            mira el video|mira el vídeo|ver el video|ver el vídeo|escucha el episodio|descarga el pdf|\
            visita nuestra web|visita nuestro sitio|visita nuestra página|echa un vistazo|échale un vistazo|\
            échele un vistazo|mantente atento|permanece atento",
        selves: "quiero agradecer a|queremos agradecer a|en este artículo|en este post|en esta entrada|en esta publicación|en este blog|en esta entrevista|\
            en este episodio|en este video|en este vídeo|en esta serie|este artículo es|este artículo fue|\
            este artículo se|este artículo ha|este post es|este post fue|esta entrada es|esta entrada fue|\
            esta entrevista fue|esta entrevista ha|esta publicación fue|publicado originalmente|publicada originalmente|\
            originalmente publicado|apareció originalmente|apareció por primera vez|forma parte de una serie|\
            primero de una serie|en el próximo artículo|en el próximo post|en la próxima entrada|\
            en un artículo anterior|en la entrada anterior|nota del editor|nota de la redacción|nota de la editora|\
            artículo invitado|actualizado el|última actualización|enlace de afiliado|contenido patrocinado",
        opens: "foto:|fotos:|foto de|fotografía:|fotografía de|imagen:|imágenes:|crédito:|créditos:|ilustración:|\
            ilustración de|gráfico:|fuente:|vídeo:|video:|publicado el|publicado por|publicado en|escrito por|autor:|\
            autora:|autores:|etiquetas|categoría|categorías|tiempo de lectura|todos los derechos reservados|licencia:|\
            ver también|lee también|lea también|te puede interesar|artículos relacionados|entradas relacionadas|\
            volver arriba|volver a|ir al contenido|saltar al contenido|anterior:|siguiente:|enviado desde mi|\
            mensaje reenviado",
        lines: "compartir|imprimir|menú|buscar|inicio|iniciar sesión|publicidad|siguiente|anterior|contenido|índice|\
            tabla de contenidos|más|ver más|leer más|saber más|ver todo|comentarios|sin comentarios|aviso legal|\
            política de privacidad|volver arriba|suscribirse|síguenos|contacto|detalles|imagen|foto|vídeo|video|fuente|\
            fuentes|etiquetas|recomendado|popular",
    },
    Boiler {
        code: "it",
        invites: "clicca qui|cliccare qui|cliccando qui|fai clic qui|fare clic qui|leggi di più|leggi tutto|\
            continua a leggere|leggi l'articolo|leggi l’articolo|per saperne di più|maggiori informazioni|scopri di più|\
            seguici|seguiteci|seguimi|condividi questo|condividi l'articolo|condividete questo|lascia un commento|\
            nei commenti|grazie per aver letto|grazie per la lettura|buona lettura|guarda il video|ascolta l'episodio|\
            ascolta l’episodio|scarica il pdf|visita il nostro sito|dai un'occhiata|dai un’occhiata|date un'occhiata|\
            resta sintonizzato|restate sintonizzati|iscriviti alla newsletter|iscriviti al canale|iscriviti alla nostra",
        selves: "in questo articolo|in questo post|in questo blog|in questa intervista|in questo episodio|in questo video|\
            in questa serie|questo articolo è|questo articolo fa|questo articolo ha|questo post è|questo post fa|\
            questa intervista è|pubblicato originariamente|originariamente pubblicato|pubblicato per la prima volta|\
            apparso per la prima volta|fa parte di una serie|nel prossimo articolo|nel prossimo post|\
            nell'articolo precedente|nell’articolo precedente|in un articolo precedente|nota dell'editore|\
            nota dell’editore|nota della redazione|ndr|aggiornato il|ultimo aggiornamento|link di affiliazione|\
            contenuto sponsorizzato",
        opens: "foto:|foto di|immagine:|immagini:|crediti:|credito:|illustrazione:|illustrazione di|grafico:|fonte:|video:|\
            pubblicato il|pubblicato da|pubblicato in|scritto da|autore:|autrice:|autori:|etichette|categoria|categorie|\
            tempo di lettura|tutti i diritti riservati|licenza:|vedi anche|leggi anche|potrebbe interessarti|\
            articoli correlati|torna su|torna a|vai al contenuto|precedente:|successivo:|inviato dal mio|\
            inviato da iphone|messaggio inoltrato",
        lines: "condividi|stampa|menu|cerca|accedi|pubblicità|successivo|precedente|indice|sommario|contenuti|altro|\
            mostra altro|leggi tutto|scopri di più|vedi tutti|commenti|nessun commento|note legali|privacy|torna su|\
            iscriviti|seguici|contatti|dettagli|immagine|foto|video|fonte|fonti|consigliati|popolari",
    },
    Boiler {
        code: "pt",
        invites: "clique aqui|clica aqui|clicando aqui|clique no link|leia mais|ler mais|continue lendo|continuar lendo|\
            continue a ler|leia o artigo|saiba mais|para saber mais|mais informações aqui|mais informações em|subscreva|\
            siga-nos|segue-nos|compartilhe este|partilhe este|compartilhar este|deixe um comentário|nos comentários|\
            obrigado por ler|obrigada por ler|boa leitura|assista ao vídeo|veja o vídeo|ouça o episódio|baixe o pdf|\
            visite nosso site|visite o nosso site|dê uma olhada|fique ligado|fique atento|inscreva-se na newsletter|\
            inscreva-se no canal|assine a newsletter|assine nossa|nosso boletim|confira o artigo|confira também",
        selves: "neste artigo|neste post|nesta postagem|neste blog|nesta entrevista|neste episódio|neste vídeo|nesta série|\
            este artigo é|este artigo foi|este artigo faz|este post é|este post foi|este post faz|esta entrevista foi|\
            publicado originalmente|originalmente publicado|publicado pela primeira vez|apareceu originalmente|\
            faz parte de uma série|no próximo artigo|no próximo post|no artigo anterior|no post anterior|\
            em um artigo anterior|nota do editor|nota da redação|nota da editora|atualizado em|última atualização|\
            link de afiliado|conteúdo patrocinado",
        opens: "foto:|fotos:|foto de|imagem:|imagens:|crédito:|créditos:|ilustração:|ilustração de|gráfico:|fonte:|vídeo:|\
            publicado em|publicado por|escrito por|autor:|autora:|autores:|etiquetas|categoria|categorias|\
            tempo de leitura|todos os direitos reservados|licença:|veja também|leia também|artigos relacionados|\
            posts relacionados|voltar ao topo|voltar para|voltar a|ir para o conteúdo|pular para o conteúdo|anterior:|\
            próximo:|enviado do meu|mensagem encaminhada",
        lines: "compartilhar|partilhar|imprimir|menu|buscar|pesquisar|início|entrar|publicidade|próximo|anterior|índice|\
            sumário|conteúdo|mais|ver mais|leia mais|saiba mais|ver tudo|comentários|sem comentários|\
            política de privacidade|voltar ao topo|inscreva-se|siga-nos|contato|contacto|detalhes|imagem|foto|vídeo|\
            fonte|fontes|recomendado|popular",
    },
    Boiler {
        code: "nl",
        invites: "klik hier|klik op de link|lees meer|lees verder|verder lezen|lees het hele|meer lezen|meer weten|\
            meer informatie vind|meer informatie hier|nieuwsbrief|abonneer|volg ons|volg mij|deel dit|deel deze|\
            laat een reactie achter|in de reacties|bedankt voor het lezen|veel leesplezier|bekijk de video|\
            beluister de aflevering|download de pdf|bezoek onze website|neem een kijkje|bekijk ook|blijf op de hoogte|\
            schrijf je in voor de nieuwsbrief|schrijf je in voor onze nieuwsbrief",
        selves: "in dit artikel|in deze post|in deze blog|in deze blogpost|in dit blog|in dit interview|in deze aflevering|\
            in deze video|in deze serie|dit artikel is|dit artikel verscheen|dit artikel maakt|deze post is|\
            deze blog is|dit interview is|eerder gepubliceerd|eerder verschenen|oorspronkelijk gepubliceerd|\
            oorspronkelijk verschenen|onderdeel van een serie|deel van een serie|in het volgende artikel|\
            in het vorige artikel|in de volgende post|in de vorige post|noot van de redactie|gastblog|laatst bijgewerkt|\
            bijgewerkt op|affiliate link",
        opens: "foto:|foto's:|foto van|beeld:|afbeelding:|illustratie:|bron:|video:|geplaatst op|geplaatst door|\
            gepubliceerd op|gepubliceerd door|geschreven door|auteur:|auteurs:|trefwoorden|labels:|categorie|leestijd|\
            alle rechten voorbehouden|licentie:|zie ook|lees ook|gerelateerde artikelen|terug naar|naar boven|\
            ga naar de inhoud|vorige:|volgende:|verzonden vanaf mijn|doorgestuurd bericht",
        lines: "delen|afdrukken|menu|zoeken|inloggen|advertentie|volgende|vorige|inhoud|inhoudsopgave|meer|meer tonen|\
            lees meer|lees verder|alles bekijken|reacties|geen reacties|privacybeleid|terug naar boven|aanmelden|\
            volg ons|contact|details|afbeelding|foto|video|bron|bronnen|aanbevolen|populair",
    },
    Boiler {
        code: "ru",
        invites: "нажмите здесь|кликните здесь|нажмите сюда|жмите сюда|по ссылке|читать далее|читать дальше|читайте далее|\
            читать полностью|подробнее здесь|узнать больше|подробности здесь|подпишитесь|подписывайтесь|подпишись|\
            следите за нами|поделитесь этой|поделитесь статьёй|поделиться статьей|оставьте комментарий|в комментариях|\
            спасибо за внимание|спасибо за чтение|приятного чтения|смотрите видео|видео ниже|слушайте выпуск|\
            скачать pdf|посетите наш сайт|оставайтесь с нами|следите за обновлениями|на рассылку|нашу рассылку",
        selves: "в этой статье|в этом посте|в этой заметке|в этом блоге|в этом интервью|в этом выпуске|в этом видео|\
            в этой серии|эта статья является|эта статья была|эта статья посвящена|эта статья входит|этот пост|\
            это интервью было|впервые опубликован|первоначально опубликован|изначально опубликован|оригинал статьи|\
            часть серии|в следующей статье|в предыдущей статье|в прошлой статье|примечание редакции|прим. ред|\
            примечание редактора|гостевой пост|последнее обновление|перевод статьи|на правах рекламы|обновлено:",
        opens: "фото:|фото |фотография:|изображение:|иллюстрация:|источник фото|источник изображения|источник:|видео:|\
            опубликовано|автор:|авторы:|теги:|метки:|категория:|рубрика:|время чтения|все права защищены|лицензия:|\
            см. также|смотрите также|читайте также|похожие статьи|по теме|наверх|вернуться к|перейти к|назад:|далее:|\
            отправлено с iphone|пересланное сообщение",
        lines: "поделиться|печать|меню|поиск|главная|войти|реклама|далее|назад|содержание|оглавление|ещё|еще|показать ещё|\
            подробнее|читать далее|читать дальше|комментарии|нет комментариев|политика конфиденциальности|наверх|\
            подписаться|контакты|детали|изображение|фото|видео|источник|источники|рекомендуем|популярное",
    },
    Boiler {
        code: "el",
        invites: "κάντε κλικ εδώ|κλικ εδώ|πατήστε εδώ|διαβάστε περισσότερα|διαβάστε τη συνέχεια|συνεχίστε την ανάγνωση|\
            μάθετε περισσότερα εδώ|περισσότερες πληροφορίες εδώ|ενημερωτικό δελτίο|εγγραφείτε στο|ακολουθήστε μας|\
            μοιραστείτε αυτό|κοινοποιήστε|αφήστε ένα σχόλιο|στα σχόλια|ευχαριστούμε που διαβάσατε|καλή ανάγνωση|\
            δείτε το βίντεο|ακούστε το επεισόδιο|κατεβάστε το pdf|επισκεφθείτε την ιστοσελίδα μας|μείνετε συντονισμένοι|\
            ρίξτε μια ματιά",
        selves: "σε αυτό το άρθρο|σε αυτήν την ανάρτηση|σε αυτή την ανάρτηση|σε αυτή τη συνέντευξη|σε αυτό το επεισόδιο|\
            σε αυτή τη σειρά|αυτό το άρθρο|το άρθρο αυτό|αυτή η ανάρτηση|δημοσιεύτηκε αρχικά|δημοσιεύθηκε αρχικά|\
            πρώτη δημοσίευση|μέρος μιας σειράς|στο επόμενο άρθρο|στο προηγούμενο άρθρο|σημείωση του συντάκτη|\
            σημείωση της σύνταξης|ενημερώθηκε στις|τελευταία ενημέρωση",
        opens: "φωτογραφία:|φωτογραφία από|φωτο:|εικόνα:|πηγή εικόνας|πηγή:|βίντεο:|δημοσιεύτηκε στις|δημοσιεύθηκε στις|\
            γράφει ο|γράφει η|συγγραφέας:|συντάκτης:|ετικέτες|κατηγορία|χρόνος ανάγνωσης|με επιφύλαξη παντός|άδεια:|\
            δείτε επίσης|διαβάστε επίσης|διαβάστε ακόμη|σχετικά άρθρα|επιστροφή στην|προηγούμενο:|επόμενο:",
        lines: "κοινοποίηση|εκτύπωση|μενού|αναζήτηση|αρχική|σύνδεση|διαφήμιση|επόμενο|προηγούμενο|περιεχόμενα|περισσότερα|\
            δείτε περισσότερα|διαβάστε περισσότερα|σχόλια|πολιτική απορρήτου|επιστροφή στην κορυφή|εγγραφή|\
            ακολουθήστε μας|επικοινωνία|λεπτομέρειες|εικόνα|φωτογραφία|βίντεο|πηγή|πηγές",
    },
    Boiler {
        code: "tr",
        invites: "buraya tıklayın|buraya tıkla|tıklayınız|devamını oku|devamını okuyun|daha fazla oku|daha fazla bilgi için|\
            daha fazlası için|ayrıntılar için|bülten|abone ol|bizi takip|beni takip|bu yazıyı paylaş|\
            paylaşmayı unutmayın|yorum bırakın|yorumlarda|yorum yapın|okuduğunuz için teşekkür|keyifli okumalar|\
            iyi okumalar|videoyu izleyin|bölümü dinleyin|pdf indir|web sitemizi ziyaret|göz atın|takipte kalın",
        selves: "bu yazıda|bu makalede|bu yazımızda|bu yazımda|bu gönderide|bu blogda|bu röportajda|bu bölümde|bu videoda|\
            bu seride|bu yazı ilk|bu makale ilk|bu yazı,|bu makale,|bu röportaj|ilk olarak yayınlan|ilk kez yayınlan|\
            ilk olarak yayımlan|serinin bir parçası|yazı dizisinin|bir sonraki yazıda|önceki yazıda|bir önceki yazı|\
            editörün notu|editör notu|konuk yazar|son güncelleme|güncellenme tarihi|çeviri:|reklam içerir",
        opens: "fotoğraf:|foto:|görsel:|görseller:|resim:|kaynak:|video:|yayınlanma tarihi|yayın tarihi|yazan:|yazar:|\
            yazarlar:|etiketler|kategori|okuma süresi|tüm hakları saklıdır|lisans:|ayrıca bakınız|ayrıca bakın|\
            şunu da okuyun|ilgili yazılar|benzer yazılar|yukarı dön|başa dön|içeriğe geç|önceki:|sonraki:",
        lines: "paylaş|yazdır|menü|ara|arama|ana sayfa|giriş yap|reklam|sonraki|önceki|içindekiler|daha fazla|devamını oku|\
            tümünü gör|yorumlar|yorum yok|gizlilik politikası|yukarı|abone ol|bizi takip edin|iletişim|ayrıntılar|\
            görsel|fotoğraf|video|kaynak|kaynaklar|önerilen|popüler",
    },
    Boiler {
        code: "ar",
        invites: "اضغط هنا|انقر هنا|اضغطوا هنا|انقروا هنا|اقرأ المزيد|اقرأ أيضا|اقرأ أيضًا|لقراءة المزيد|لمزيد من المعلومات|\
            للمزيد من المعلومات|لمعرفة المزيد|تابع القراءة|النشرة البريدية|نشرتنا|اشترك في|اشتركوا في|تابعنا على|\
            تابعونا|شارك هذا|شاركوا هذا|اترك تعليقا|اترك تعليقًا|في التعليقات|شكرا للقراءة|شكرًا للقراءة|شاهد الفيديو|\
            استمع إلى الحلقة|حمل الملف|زوروا موقعنا|ترقبوا",
        selves: "في هذا المقال|في هذه المقالة|في هذه التدوينة|في هذا المنشور|في هذه المقابلة|في هذه الحلقة|في هذا الفيديو|\
            في هذه السلسلة|نشر هذا المقال|نُشر هذا المقال|هذا المقال جزء|هذه المقالة جزء|نشر لأول مرة|نُشر لأول مرة|\
            نشرت أصلا|جزء من سلسلة|في المقال القادم|في المقال السابق|ملاحظة المحرر|آخر تحديث|تم التحديث|ترجمة:",
        opens: "صورة:|الصورة:|تصوير:|مصدر الصورة|المصدر:|مصدر:|فيديو:|نشر في|نُشر في|كتب:|كتبه|بقلم|الكاتب:|المؤلف:|وسوم|\
            الوسوم|التصنيف|وقت القراءة|مدة القراءة|جميع الحقوق محفوظة|الرخصة:|انظر أيضا|انظر أيضًا|اقرأ أيضا|اقرأ أيضًا|\
            مقالات ذات صلة|مواضيع ذات صلة|العودة إلى|السابق:|التالي:",
        lines: "مشاركة|شارك|طباعة|القائمة|بحث|الرئيسية|تسجيل الدخول|إعلان|التالي|السابق|المحتويات|المزيد|عرض المزيد|\
            اقرأ المزيد|التعليقات|لا توجد تعليقات|سياسة الخصوصية|اشترك|تابعنا|اتصل بنا|التفاصيل|صورة|فيديو|المصدر|\
            المصادر",
    },
    Boiler {
        code: "hi",
        invites: "यहाँ क्लिक करें|यहां क्लिक करें|लिंक पर क्लिक|और पढ़ें|आगे पढ़ें|पूरा पढ़ें|अधिक जानकारी के लिए|\
            ज़्यादा जानकारी के लिए|और जानने के लिए|न्यूज़लेटर|न्यूजलेटर|सदस्यता लें|सब्सक्राइब करें|हमें फ़ॉलो|\
            हमें फॉलो|इसे साझा करें|इस लेख को साझा|शेयर करें|टिप्पणी करें|टिप्पणियों में|कमेंट में|पढ़ने के लिए धन्यवाद|\
            वीडियो देखें|हमारी वेबसाइट पर जाएँ|हमारी वेबसाइट पर जाएं|बने रहें",
        selves: "इस लेख में|इस पोस्ट में|इस ब्लॉग में|इस साक्षात्कार में|इस वीडियो में|इस श्रृंखला में|यह लेख मूल|\
            यह लेख पहली|यह पोस्ट|मूल रूप से प्रकाशित|पहली बार प्रकाशित|श्रृंखला का हिस्सा|अगले लेख में|पिछले लेख में|\
            संपादक की टिप्पणी|संपादकीय टिप्पणी|अंतिम अपडेट|अनुवाद:",
        opens: "फ़ोटो:|फोटो:|चित्र:|तस्वीर:|छवि:|स्रोत:|वीडियो:|प्रकाशित:|लेखक:|लेखिका:|टैग:|श्रेणी:|पढ़ने का समय|\
            सर्वाधिकार सुरक्षित|लाइसेंस:|यह भी देखें|यह भी पढ़ें|संबंधित लेख|ऊपर जाएँ|पिछला:|अगला:",
        lines: "साझा करें|शेयर|प्रिंट|मेनू|खोजें|होम|लॉग इन|विज्ञापन|अगला|पिछला|विषय सूची|और|और देखें|और पढ़ें|टिप्पणियाँ|\
            गोपनीयता नीति|सदस्यता लें|संपर्क|विवरण|चित्र|फ़ोटो|वीडियो|स्रोत",
    },
    Boiler {
        code: "ja",
        invites: "こちらをクリック|ここをクリック|クリックしてください|続きを読む|続きはこちら|詳細はこちら|詳しくはこちら|もっと読む|全文を読む|詳しくは以下|メールマガジン|ニュースレター|メルマガ|購読する|\
            フォローしてください|フォローお願い|シェアしてください|シェアする|コメントください|コメント欄|お読みいただきありがとう|最後までお読み|動画をご覧|動画はこちら|公式サイトはこちら|をチェックしてみて|\
            チャンネル登録",
        selves: "この記事では|本記事では|この記事は|本記事は|この投稿では|このブログでは|この連載|このシリーズ|本稿では|本稿は|このインタビューは|初出|に掲載された記事|元の記事|原文は|次回の記事|前回の記事|編集部注|\
            編集者注|寄稿記事|最終更新|更新日|翻訳:|訳注|広告を含み",
        opens: "写真：|写真:|撮影：|撮影:|画像：|画像:|画像提供|写真提供|イラスト：|イラスト:|出典：|出典:|動画：|公開日|投稿日|投稿者|執筆者|著者：|著者:|文：|文・|タグ：|タグ:|カテゴリ|読了時間|\
            所要時間：|無断転載|ライセンス：|関連記事|こちらもおすすめ|合わせて読みたい|あわせて読みたい|ページトップ|トップへ戻る|前の記事|次の記事|戻る：",
        lines: "シェア|共有|印刷|メニュー|検索|ホーム|ログイン|広告|次へ|前へ|目次|もっと見る|続きを読む|詳細|詳しく見る|すべて見る|コメント|プライバシーポリシー|トップへ戻る|登録|フォロー|お問い合わせ|画像|\
            写真|動画|出典|タグ|カテゴリ",
    },
    Boiler {
        code: "zh",
        invites: "点击这里|点击此处|点此|點擊這裡|点击链接|阅读更多|阅读全文|查看更多|继续阅读|了解更多请|更多信息请|更多详情|订阅我们|订阅本|邮件列表|新闻通讯|关注我们|关注我的|关注公众号|扫码关注|分享本文|\
            分享这篇|转发本文|欢迎留言|欢迎评论|在评论区|评论区留言|感谢阅读|谢谢阅读|感谢您的阅读|观看视频|下载 pdf|点击下载|访问我们的网站|敬请期待",
        selves: "在本文中|在这篇文章中|在這篇文章中|本文将|本文將|本文介绍|本文是|本文首发|本文最初|本文由|本文转载|本文来自|本文原载|这篇文章将|这篇文章是|这篇博客|本系列|本期节目|首发于|原文链接|原文地址|\
            转载请注明|转载自|系列文章|下一篇文章|上一篇文章|编者按|编者注|編者按|最后更新|更新于|译者注|翻译：",
        opens: "图片：|图片:|图：|图源|图片来源|摄影：|攝影：|照片：|来源：|來源：|视频：|发布于|发布时间|发表于|作者：|作者:|撰文：|文/|文丨|编辑：|编辑丨|责编|标签：|标签:|分类：|阅读时间|版权所有|\
            保留所有权利|许可证：|相关阅读|相关文章|延伸阅读|推荐阅读|返回顶部|上一篇|下一篇",
        lines: "分享|打印|菜单|搜索|首页|登录|广告|下一页|上一页|下一篇|上一篇|目录|更多|查看更多|阅读全文|阅读更多|评论|暂无评论|隐私政策|返回顶部|订阅|关注我们|联系我们|详情|图片|照片|视频|来源|标签|\
            分类",
    },
    Boiler {
        code: "ko",
        invites: "여기를 클릭|더 읽기|더 보기|계속 읽기|자세한 내용은|자세히 알아보기|뉴스레터|구독하기|구독해|팔로우|공유하기|공유해 주세요|댓글을 남겨|댓글로|읽어주셔서 감사|동영상 보기",
        selves: "이 글에서|이 글은|이번 글에서|이 기사에서|이 기사는|이 포스트|이 시리즈|처음 게시|원문은|다음 글에서|이전 글에서|편집자 주|최종 업데이트|번역:",
        opens: "사진:|사진 제공|이미지:|출처:|동영상:|게시일|작성자|글쓴이|저자:|태그:|카테고리|읽는 시간|무단 전재|관련 글|관련 기사|이전 글|다음 글",
        lines: "공유|인쇄|메뉴|검색|홈|로그인|광고|다음|이전|목차|더 보기|댓글|개인정보처리방침|구독|문의|이미지|사진|동영상|출처|태그",
    },
    Boiler {
        code: "pl",
        invites: "kliknij tutaj|czytaj więcej|czytaj dalej|przeczytaj więcej|więcej informacji znajdziesz|dowiedz się więcej|\
            subskrybuj|obserwuj nas|śledź nas|udostępnij ten|zostaw komentarz|w komentarzach|dziękujemy za lekturę|\
            obejrzyj film|pobierz pdf",
        selves: "w tym artykule|w tym wpisie|w tym poście|w tym wywiadzie|w tej serii|ten artykuł jest|ten artykuł został|\
            ten wpis|pierwotnie opublikowany|po raz pierwszy opublikowany|część serii|w następnym artykule|\
            w poprzednim artykule|od redakcji|przyp. red|ostatnia aktualizacja|zaktualizowano|tłumaczenie:",
        opens: "zdjęcie:|fot.|foto:|grafika:|źródło:|wideo:|opublikowano|autor:|autorka:|tagi:|kategoria|czas czytania|\
            wszelkie prawa zastrzeżone|licencja:|zobacz też|zobacz także|przeczytaj też|powiązane artykuły|wróć do|\
            poprzedni:|następny:",
        lines: "udostępnij|drukuj|menu|szukaj|strona główna|zaloguj|reklama|następny|poprzedni|spis treści|więcej|\
            czytaj więcej|czytaj dalej|komentarze|brak komentarzy|polityka prywatności|kontakt|szczegóły|zdjęcie|wideo|\
            źródło|źródła|tagi",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_in_lower_case_and_apart() {
        for boiler in &ALL {
            for list in [boiler.invites, boiler.selves, boiler.opens, boiler.lines] {
                for phrase in list.split('|') {
                    assert_eq!(phrase, phrase.to_lowercase(), "{}", boiler.code);
                    assert!(!phrase.trim().is_empty(), "{}: {list}", boiler.code);
                }
            }
        }
    }
}
