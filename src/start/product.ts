/** Builds when needed, and serves what was built. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, isBuilt, ROOT } from './build.ts';
import { endWith } from './endWith.ts';
import { serve, type Pages } from './serve.ts';

async function openBuild(): Promise<Pages> {
	process.env['NODE_ENV'] ||= 'production';
	return (await import(pathToFileURL(join(ROOT, 'build/handler.js')).href)) as Pages;
}

/** Starts the product, or says what kept it from that and ends the process. */
export async function startProduct(): Promise<void> {
	try {
		if (!isBuilt()) build();
		await serve(openBuild);
	} catch (error) {
		endWith(error);
	}
}
