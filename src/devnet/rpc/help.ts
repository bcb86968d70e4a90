import list from './helpList.json' with { type: 'json' };
import texts from './helpTexts.json' with { type: 'json' };

/**
 * Help texts of Komodo daemon 0.9.0 by method. `{chain}` and `{port}` in the examples are placeholders. A
 * call with the wrong number of parameters gets this text as its error message.
 */
export const HELP_TEXTS: ReadonlyMap<string, string> = new Map(
	Object.entries(texts).map(([method, lines]) => [method, lines.join('\n')])
);

/**
 * The list of Komodo daemon 0.9.0's `help` without arguments, limited to methods known here: headings, and
 * the first line of each method's help. `{chain}` is a placeholder.
 */
const HELP_LIST: readonly (readonly [heading: string, lines: readonly string[]])[] =
	Object.entries(list);

/** Returns the help text of a method for this daemon; just its line in the list when there is no more. */
export const helpText = (method: string, chain: string, port: number): string =>
	(HELP_TEXTS.get(method) ?? `${lineOf(method)}\n`)
		.replaceAll('{chain}', chain)
		.replaceAll('{port}', String(port));

const nameOf = (line: string): string => line.split(' ')[0]!;

const lineOf = (method: string): string =>
	HELP_LIST.flatMap(([, lines]) => lines).find((line) => nameOf(line) === method) ?? method;

/** Returns the result of `help` without arguments: the served methods under the headings of release 0.9.0. */
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
