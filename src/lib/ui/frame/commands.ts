/** Commands of the palette besides search: actions and pages. */
import {
	ACTION_COMMANDS,
	LOG_OUT_COMMAND,
	PAGE_COMMANDS,
	THEME_COMMANDS,
	type CommandText
} from '#lib/messages/commands.ts';

export interface Command {
	words: string;
	/** Synonyms that people type for it. */
	aliases: readonly string[];
	/** The chain that the command concerns. */
	chain?: string;
	/** Whether the name of its chain alone means this command. */
	main?: boolean;
	/** Target; an action that changes something is posted. */
	to: { href: string } | { post: string; fields: Readonly<Record<string, string>> };
	kind: 'page' | 'action';
}

/** Rights of the member, for what is displayed; the routes check on their own. */
export interface May {
	build: boolean;
	broadcast: boolean;
	sign: boolean;
	admin: boolean;
}

interface Situation {
	chains: readonly string[];
	account: { name: string } | null;
	may: May;
	/** Path of the page, to which a theme change returns. */
	path: string;
}

function isOffered({ needs }: CommandText, situation: Situation): boolean {
	if (needs === undefined) return true;
	if (needs === 'visitor') return situation.account === null;
	return needs === 'member' ? situation.account !== null : situation.may[needs];
}

function expand(
	texts: readonly CommandText[],
	kind: Command['kind'],
	situation: Situation
): Command[] {
	const offered = texts.filter((text) => isOffered(text, situation));
	return offered.flatMap(({ title, aliases, href, main = false }): Command[] => {
		const command = { words: title, aliases, main, kind };
		if (!href.includes('{chain}')) return [{ ...command, to: { href } }];
		return situation.chains.map((chain) => ({
			...command,
			chain,
			to: { href: href.replace('{chain}', encodeURIComponent(chain)) }
		}));
	});
}

/** Returns everything that is available to this member or visitor, actions before pages. */
export function commandsFor(situation: Situation): Command[] {
	return [
		...expand(ACTION_COMMANDS, 'action', situation),
		...THEME_COMMANDS.map(({ title, aliases, theme }): Command => ({
			words: title,
			aliases: ['theme', ...aliases],
			to: { post: '/theme', fields: { theme, to: situation.path } },
			kind: 'action'
		})),
		...(situation.account === null
			? []
			: [
					{
						words: LOG_OUT_COMMAND.title,
						aliases: LOG_OUT_COMMAND.aliases,
						to: { post: '/logout', fields: {} },
						kind: 'action'
					} as const satisfies Command
				]),
		...expand(PAGE_COMMANDS, 'page', situation)
	];
}
