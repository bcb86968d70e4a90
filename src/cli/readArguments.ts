import { parseArgs, type ParseArgsConfig } from 'node:util';
import { AppError } from '#lib/server/platform/errors/appError.ts';

/** Options of a verb by name. */
type Options = NonNullable<ParseArgsConfig['options']>;

interface Reading<Given extends Options> {
	args: string[];
	options: Given;
}

/** Reports invalid options with this program's messages instead of Node's. @throws {AppError} `usage` */
function refuseWrong({ args, options }: Reading<Options>): void {
	const { tokens } = parseArgs({
		args,
		options,
		allowPositionals: true,
		strict: false,
		tokens: true
	});
	const seen = new Set<string>();
	for (const token of tokens) {
		if (token.kind !== 'option') continue;
		const { name, rawName, value } = token;
		const option = Object.hasOwn(options, name) ? options[name] : undefined;
		if (option === undefined) throw new AppError('usage.option-unknown', { option: rawName });
		if (option.type === 'boolean') {
			if (value !== undefined) throw new AppError('usage.option-without-value', { option: name });
		} else if (value === undefined || (!token.inlineValue && value.startsWith('-'))) {
			throw new AppError('usage.option-value', { option: name });
		}
		// The first of two values would silently be ignored.
		if (seen.has(name) && option.multiple !== true) {
			throw new AppError('usage.option-twice', { option: name });
		}
		seen.add(name);
	}
}

/**
 * Parses the options and positional arguments of a verb.
 *
 * @throws {AppError} `usage`
 */
export function readArguments<Given extends Options>({ args, options }: Reading<Given>) {
	refuseWrong({ args, options });
	return parseArgs({ args, options, allowPositionals: true });
}
