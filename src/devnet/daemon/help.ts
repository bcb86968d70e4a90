import { HELP_TEXTS } from './helptexts.ts';

/** The help text of a method as this daemon words it; the bare name when there is none. */
export const helpText = (method: string, chain: string, port: number): string =>
	(HELP_TEXTS.get(method) ?? `${method}\n`)
		.replaceAll('{chain}', chain)
		.replaceAll('{port}', String(port));

/** The answer to `help` without a name: one line of each served method. */
export const helpList = (methods: readonly string[]): string => {
	const lines = [...methods]
		.sort()
		.map((method) => (HELP_TEXTS.get(method) ?? method).trimStart().split('\n')[0]!);
	return `== Komodo ==\n${lines.join('\n')}`;
};
