import { DISCOVER_VERB, TABLE_HEADS, USAGE } from '#lib/messages/commandLine.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { readConfig } from '../config.ts';
import { table } from '../table.ts';
import type { Verb } from '../verb.ts';

export const verb: Verb = {
	usage: USAGE.discover,
	run(args, { env, out, err }) {
		if (args.length > 0) throw new AppError('usage.no-arguments');
		const config = readConfig(env);
		for (const note of config.notes) err(note);
		if (config.daemons.length === 0 && config.nodes.length === 0) {
			out(DISCOVER_VERB.none(config.komodoHome));
		}
		if (config.daemons.length > 0) {
			const rows = config.daemons.map((daemon) => [
				daemon.id,
				daemon.chain,
				daemon.url,
				daemon.purposes.join(','),
				DISCOVER_VERB.login[daemon.credentials.kind]
			]);
			for (const line of table(TABLE_HEADS.foundDaemons, rows)) out(line);
		}
		if (config.nodes.length > 0) {
			const rows = config.nodes.map(({ id, url, credentials }) => [
				id,
				url,
				DISCOVER_VERB.nodeLogin[credentials.kind]
			]);
			for (const line of table(TABLE_HEADS.foundNodes, rows)) out(line);
		}
		return Promise.resolve(config.notes.length === 0 ? 0 : 1);
	}
};
