/** One command: finds the verb's file, runs it, and turns failures into sentences. */
import { HELP } from '#lib/messages/commandLine.ts';
import { databaseCommandSentence } from '#lib/messages/database.ts';
import { fileFault } from '#lib/messages/fileFaults.ts';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { databaseErrorKind } from '#lib/server/platform/database/databaseError.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { plainText } from '#lib/server/platform/logging/redact.ts';
import type { CliContext, Verb } from './verb.ts';

const FOLDER = join(import.meta.dirname, 'verbs');

/** Verbs as they were called in the release before; the help names only those of now. */
const ALIASES: Readonly<Record<string, string>> = { node: 'kdf' };

function verbNames(): string[] {
	return readdirSync(FOLDER)
		.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
		.map((file) => file.slice(0, -'.ts'.length))
		.sort();
}

async function loadVerb(name: string): Promise<Verb> {
	const module = (await import(pathToFileURL(join(FOLDER, `${name}.ts`)).href)) as { verb: Verb };
	return module.verb;
}

/** Each form on a line of its own: the longest fills a terminal. */
const usageLines = (verbs: readonly Verb[]): string[] =>
	verbs.flatMap(({ usage }) =>
		usage.flatMap(([form, meaning]) => [`  ${form}`, `      ${meaning}`])
	);

async function help(context: CliContext): Promise<void> {
	const verbs = await Promise.all(verbNames().map(loadVerb));
	context.out(HELP.head);
	context.out('');
	for (const line of usageLines(verbs)) context.out(line);
	context.out('');
	for (const line of HELP.foot) context.out(line);
}

/** What a driver says of a database is no sentence, and may name its place. */
function sentenceOf(error: unknown): string {
	const kind = isAppError(error) ? null : databaseErrorKind(error);
	if (kind !== null) return databaseCommandSentence(kind);
	return error instanceof Error ? error.message : String(error);
}

/**
 * Runs one command.
 * @param args what stands behind the program's name
 * @param terminal its environment, input and outputs; lines come without line ends
 * @returns the exit code: 0 done, 1 failed, 2 makes no sense
 */
export async function runCommand(args: readonly string[], terminal: CliContext): Promise<number> {
	const context: CliContext = {
		...terminal,
		// Names of people and tokens stand in these lines: none of them drives a terminal.
		out: (line) => terminal.out(plainText(line)),
		err: (line) => terminal.err(plainText(line))
	};
	const [typed, ...rest] = args;
	const name =
		typed === undefined ? undefined : Object.hasOwn(ALIASES, typed) ? ALIASES[typed]! : typed;
	if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
		await help(context);
		return name === undefined ? 2 : 0;
	}
	if (!verbNames().includes(name)) {
		context.err(HELP.unknownVerb(name, verbNames()));
		return 2;
	}
	const verb = await loadVerb(name);
	try {
		return await verb.run(rest, context);
	} catch (error) {
		context.err(fileFault(error) ?? sentenceOf(error));
		if (!isAppError(error, 'usage')) return 1;
		for (const line of usageLines([verb])) context.err(line);
		return 2;
	}
}
