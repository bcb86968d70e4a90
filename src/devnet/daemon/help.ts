import list from './helpList.json' with { type: 'json' };
import texts from './helpTexts.json' with { type: 'json' };

/**
 * Help texts of Komodo daemon 0.9.0, by method. `{chain}` and `{port}` stand for the daemon's own name and
 * port in the examples. A call with the wrong number of parameters gets this text as its error message.
 */
export const HELP_TEXTS: ReadonlyMap<string, string> = new Map(
	Object.entries(texts).map(([method, lines]) => [method, lines.join('\n')])
);

/**
 * What `help` without a name lists in Komodo daemon 0.9.0, of the methods that are known here: headings, and the
 * first line of each method's own text. `{chain}` stands for the daemon's chain.
 */
const HELP_LIST: readonly (readonly [heading: string, lines: readonly string[]])[] =
	Object.entries(list);

/** The help text of a method as this daemon words it; its line of the list when nothing more is known. */
export const helpText = (method: string, chain: string, port: number): string =>
	(HELP_TEXTS.get(method) ?? `${lineOf(method)}\n`)
		.replaceAll('{chain}', chain)
		.replaceAll('{port}', String(port));

const nameOf = (line: string): string => line.split(' ')[0]!;

const lineOf = (method: string): string =>
	HELP_LIST.flatMap(([, lines]) => lines).find((line) => nameOf(line) === method) ?? method;

/** The answer to `help` without a name: the served methods under the headings of release 0.9.0. */
export const helpList = (methods: readonly string[], chain: string): string => {
	const served = new Set(methods);
	return HELP_LIST.map(([heading, lines]) => ({
		heading,
		lines: lines.filter((line) => served.has(nameOf(line)))
	}))
		.filter(({ lines }) => lines.length > 0)
		.map(({ heading, lines }) => `== ${heading} ==\n${lines.join('\n')}`)
		.join('\n\n')
		.replaceAll('{chain}', chain);
};
