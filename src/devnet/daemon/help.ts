import { HELP_LIST } from './helpList.ts';
import { HELP_TEXTS } from './helpTexts.ts';

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
