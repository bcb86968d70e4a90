/** Recognizes a devnet by its own control API, not by the contents of a file. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { controlOf, type Control } from '../support/devnetControl.ts';
import type { DaemonClient } from './daemonClient.ts';

/** The file that devnet writes into its folder, one or two levels above a configuration file. */
function devnetFile({ access }: DaemonClient): string | null {
	const folder = dirname(access.file);
	const found = [folder, dirname(folder)].map((one) => join(one, 'devnet.json')).find(existsSync);
	return found ?? null;
}

/** The control API of a daemon's devnet; null when it belongs to none. */
export async function devnetControlOf(daemon: DaemonClient, name: string): Promise<Control | null> {
	const file = devnetFile(daemon);
	if (file === null) return null;
	try {
		const { control } = JSON.parse(readFileSync(file, 'utf8')) as {
			control: { url: string; password: string };
		};
		const api = controlOf(control);
		const { chains } = await api.state();
		const chain = chains.find((one) => one.name === name);
		if (chain === undefined) return null;
		// Devnet's newest block must be the daemon's, too: otherwise the file belongs to another network.
		return (await daemon.call('getblockhash', chain.height)) === chain.tip ? api : null;
	} catch {
		return null;
	}
}
