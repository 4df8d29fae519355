import type { Specimen } from '../family.ts'
import { bare, hand, log } from './document-log.ts'

/** Markups by hand, each in two habits. */
export const handMarkups: readonly Specimen[] = [
  hand(
    'hashes.md',
    `# Harbour log\n\nThe *gale* reached the **quay** at dawn, says [the station](https://example.org/station).\n\n* one lantern lit\n* two boats lost\n\n## Losses at sea\n\nBoat | Men\n--- | ---\nTern | 007\nGull | 12\n\n1. tie the boat tight\n2. ring the bell\n\nNobody slept.\n`,
  ),
  hand(
    'underlined.md',
    `---\ntitle: Log\nauthor: Ida Storm\n---\nHarbour log\n===========\n\nThe _gale_ reached the __quay__ at dawn, says [the station][1].\n- one lantern lit\n- two boats lost\n\nLosses at sea\n-------------\n\n| Boat | Men |\n|:-----|----:|\n| Tern | 007 |\n| Gull | 12 |\n\n1) tie the boat tight\n2) ring the bell\n\nNobody slept.\n\n[1]: https://example.org/station\n`,
    { title: 'Log', author: 'Ida Storm' },
  ),
  hand(
    'simple.rst',
    `Harbour log\n===========\n\nThe *gale* reached the **quay** at dawn, says \`the station <https://example.org/station>\`_.\n\n* one lantern lit\n* two boats lost\n\nLosses at sea\n-------------\n\n====  ===\nBoat  Men\n====  ===\nTern  007\nGull  12\n====  ===\n\n1. tie the boat tight\n2. ring the bell\n\nNobody slept.\n`,
    { headings: undefined },
  ),
  hand(
    'grid.rst',
    `:author: Ida Storm\n\nHarbour log\n###########\n\nThe *gale* reached the **quay** at dawn, says \`the station\`_.\n\n- one lantern lit\n- two boats lost\n\nLosses at sea\n*************\n\n+------+-----+\n| Boat | Men |\n+======+=====+\n| Tern | 007 |\n+------+-----+\n| Gull | 12  |\n+------+-----+\n\n#. tie the boat tight\n#. ring the bell\n\nNobody slept.\n\n.. _the station: https://example.org/station\n`,
    { headings: undefined },
  ),
  hand(
    'outline.org',
    `#+TITLE: Log\n#+AUTHOR: Ida Storm\n\n* Harbour log\n\nThe /gale/ reached the *quay* at dawn, says [[https://example.org/station][the station]].\n\n- one lantern lit\n- two boats lost\n\n** Losses at sea\n\n| Boat | Men |\n|------+-----|\n| Tern | 007 |\n| Gull |  12 |\n\n1. tie the boat tight\n2. ring the bell\n\nNobody slept.\n`,
    { title: 'Log', author: 'Ida Storm' },
  ),
  hand(
    'plus.org',
    `* Harbour log\n  The /gale/ reached the *quay* at dawn, says [[https://example.org/station][the station]].\n  + one lantern lit\n  + two boats lost\n** Losses at sea\n   | Boat | Men |\n   |------+-----|\n   | Tern | 007 |\n   | Gull | 12  |\n\n   1) tie the boat tight\n   2) ring the bell\n\n   Nobody slept.\n`,
  ),
  hand(
    'article.tex',
    String.raw`\documentclass[a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage{hyperref}
\title{Log}
\author{Ida Storm}
\begin{document}
\maketitle
\section{Harbour log}
The \emph{gale} reached the \textbf{quay} at dawn, % not the pier
says \href{https://example.org/station}{the station}.
\begin{itemize}
\item one lantern lit
\item two boats lost
\end{itemize}
\subsection{Losses at sea}
\begin{tabular}{lr}
\hline
Boat & Men \\
\hline
Tern & 007 \\
Gull & 12 \\
\hline
\end{tabular}
\begin{enumerate}
\item tie the boat tight
\item ring the bell
\end{enumerate}
Nobody slept.
\end{document}
`,
    { title: 'Log', author: 'Ida Storm' },
  ),
  hand(
    'macros.tex',
    String.raw`\documentclass{scrartcl}
\newcommand{\boat}[1]{#1}
\begin{document}
\section*{Harbour log}
The {\it gale} reached the {\bf quay} at dawn, says \href{https://example.org/station}{the station}.
\begin{itemize}\item one lantern lit\item two boats lost\end{itemize}
\subsection*{Losses at sea}
\begin{center}\begin{tabular}{|l|r|}\hline \boat{Boat} & Men \\ \hline \boat{Tern} & 007 \\ \hline \boat{Gull} & 12 \\ \hline\end{tabular}\end{center}
\begin{enumerate}\item tie the boat tight\item ring the bell\end{enumerate}
Nobody slept.
\end{document}
`,
  ),
  hand(
    'plain.textile',
    `h1. Harbour log\n\nThe _gale_ reached the *quay* at dawn, says "the station":https://example.org/station.\n\n* one lantern lit\n* two boats lost\n\nh2. Losses at sea\n\n|_. Boat |_. Men |\n| Tern | 007 |\n| Gull | 12 |\n\n# tie the boat tight\n# ring the bell\n\nNobody slept.\n`,
  ),
  hand(
    'styled.textile',
    `h1(top). Harbour log\n\np. The __gale__ reached the **quay** at dawn, says "the station":https://example.org/station.\n\n* one lantern lit\n* two boats lost\n\nh2. Losses at sea\n\ntable(rows).\n|_. Boat|_. Men|\n|Tern|007|\n|Gull|12|\n\n# tie the boat tight\n# ring the bell\n\np. Nobody slept.\n`,
  ),
  hand(
    'plain.wiki',
    `= Harbour log =\n\nThe ''gale'' reached the '''quay''' at dawn, says [https://example.org/station the station].\n\n* one lantern lit\n* two boats lost\n\n== Losses at sea ==\n\n{| class="wikitable"\n! Boat !! Men\n|-\n| Tern || 007\n|-\n| Gull || 12\n|}\n\n# tie the boat tight\n# ring the bell\n\nNobody slept.\n`,
  ),
  hand(
    'tagged.wiki',
    `= Harbour log =\n<!-- no gale since -->\nThe <i>gale</i> reached the <b>quay</b> at dawn, says [https://example.org/station the station].\n\n*one lantern lit\n*two boats lost\n==Losses at sea==\n{|\n!Boat\n!Men\n|-\n|Tern\n|007\n|-\n|Gull\n|12\n|}\n#tie the boat tight\n#ring the bell\n\nNobody slept.\n`,
    { bold: undefined, italic: undefined },
  ),
  hand(
    'article.adoc',
    `= Log\nIda Storm\n\n== Harbour log\n\nThe _gale_ reached the *quay* at dawn, says https://example.org/station[the station].\n\n* one lantern lit\n* two boats lost\n\n=== Losses at sea\n\n|===\n|Boat |Men\n\n|Tern |007\n|Gull |12\n|===\n\n. tie the boat tight\n. ring the bell\n\nNobody slept.\n`,
    { title: 'Log', author: 'Ida Storm' },
  ),
  hand(
    'listed.adoc',
    `== Harbour log\n\nThe __gale__ reached the **quay** at dawn, says link:https://example.org/station[the station].\n\n- one lantern lit\n- two boats lost\n\n=== Losses at sea\n\n[%header,format=csv]\n|===\nBoat,Men\nTern,007\nGull,12\n|===\n\n. tie the boat tight\n. ring the bell\n\nNobody slept.\n`,
  ),
  hand(
    'five.dbk',
    `<?xml version="1.0"?>\n<article xmlns="http://docbook.org/ns/docbook" xmlns:xlink="http://www.w3.org/1999/xlink" version="5.0"><info><title>Log</title><author><personname>Ida Storm</personname></author></info><section><title>Harbour log</title><para>The <emphasis>gale</emphasis> reached the <emphasis role="strong">quay</emphasis> at dawn, says <link xlink:href="https://example.org/station">the station</link>.</para><itemizedlist><listitem><para>one lantern lit</para></listitem><listitem><para>two boats lost</para></listitem></itemizedlist><section><title>Losses at sea</title><informaltable><tgroup cols="2"><thead><row><entry>Boat</entry><entry>Men</entry></row></thead><tbody><row><entry>Tern</entry><entry>007</entry></row><row><entry>Gull</entry><entry>12</entry></row></tbody></tgroup></informaltable><orderedlist><listitem><para>tie the boat tight</para></listitem><listitem><para>ring the bell</para></listitem></orderedlist><para>Nobody slept.</para></section></section></article>\n`,
    { title: 'Log', author: 'Ida Storm' },
  ),
  hand(
    'outline.opml',
    `<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0"><head><title>Log</title><ownerName>Ida Storm</ownerName></head><body><outline text="Harbour log" _note="The *gale* reached the **quay** at dawn."><outline text="Losses at sea"/></outline></body></opml>\n`,
    {
      ...bare,
      words: { text: 'Harbour log The gale reached the quay at dawn. Losses at sea', beside: 'Log Ida Storm' },
      headings: log.headings,
      bold: log.bold,
      italic: log.italic,
      title: 'Log',
    },
  ),
  hand(
    'flat.opml',
    `<opml version="1.0"><head/><body><outline text="Harbour log"/><outline text="Losses &amp; more"/></body></opml>\n`,
    {
      ...bare,
      words: { text: 'Harbour log Losses & more' },
    },
  ),
  hand(
    'article.jats.xml',
    `<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Publishing DTD v1.2 20190208//EN" "JATS-publishing1.dtd">\n<article dtd-version="1.2"><front><article-meta><title-group><article-title>Log</article-title></title-group><contrib-group><contrib contrib-type="author"><name><surname>Storm</surname><given-names>Ida</given-names></name></contrib></contrib-group></article-meta></front><body><sec><title>Harbour log</title><p>The <italic>gale</italic> reached the <bold>quay</bold> at dawn, says <ext-link ext-link-type="uri" xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="https://example.org/station">the station</ext-link>.</p><list list-type="bullet"><list-item><p>one lantern lit</p></list-item><list-item><p>two boats lost</p></list-item></list><sec><title>Losses at sea</title><table-wrap><table><thead><tr><th>Boat</th><th>Men</th></tr></thead><tbody><tr><td>Tern</td><td>007</td></tr><tr><td>Gull</td><td>12</td></tr></tbody></table></table-wrap><list list-type="order"><list-item><p>tie the boat tight</p></list-item><list-item><p>ring the bell</p></list-item></list><p>Nobody slept.</p></sec></sec></body></article>\n`,
    { title: 'Log', author: 'Ida Storm' },
  ),
  hand(
    'notebook.ipynb',
    JSON.stringify({
      cells: [
        {
          cell_type: 'markdown',
          metadata: {},
          source: [
            '# Harbour log\n',
            '\n',
            'The *gale* reached the **quay** at dawn, says [the station](https://example.org/station).\n',
            '\n',
            '- one lantern lit\n',
            '- two boats lost\n',
          ],
        },
        {
          cell_type: 'markdown',
          metadata: {},
          source:
            '## Losses at sea\n\n| Boat | Men |\n|---|---|\n| Tern | 007 |\n| Gull | 12 |\n\n1. tie the boat tight\n2. ring the bell\n\nNobody slept.',
        },
      ],
      metadata: { kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' } },
      nbformat: 4,
      nbformat_minor: 5,
    }),
  ),
  hand(
    'code.ipynb',
    JSON.stringify({
      cells: [
        { cell_type: 'markdown', metadata: {}, source: ['# Harbour log'] },
        {
          cell_type: 'code',
          execution_count: 1,
          metadata: {},
          source: ['print(anchors)'],
          outputs: [{ output_type: 'stream', name: 'stdout', text: ['forty fathoms\n'] }],
        },
      ],
      metadata: {},
      nbformat: 4,
      nbformat_minor: 4,
    }),
    { ...bare, words: { text: 'Harbour log print(anchors) forty fathoms' }, headings: [[1, 'Harbour log']] },
  ),
]
