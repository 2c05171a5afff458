/** The projects of the samples: where their folders are, and where they used to be. */
import { UPLOAD_TEST, UPLOAD_TS } from './flaky-upload-code.mjs'

const pkg = (name, more = {}) =>
  `${JSON.stringify({ name, version: '2.4.0', type: 'module', ...more }, null, 2)}\n`

const PLACES = {
  home: { at: '', note: 'the home folder itself' },
  'grove-api': {
    at: 'code/grove-api',
    files: {
      'package.json': pkg('grove-api', { scripts: { test: 'node --test' } }),
      'README.md': '# grove-api\n\nUploads, downloads, and a small client for both.\n',
      'src/upload.ts': UPLOAD_TS,
      'test/upload.test.mjs': UPLOAD_TEST,
    },
    git: {
      remote: 'git@example.org:grove/grove-api.git',
      messages: ['Start of grove-api', 'Add uploads', 'Release 2.4.0'],
    },
  },
  infra: {
    at: 'code/infra',
    files: {
      'main.tf': 'terraform {\n  required_version = ">= 1.9"\n}\n',
      'ci/test.yml': 'concurrency: 2\n',
    },
    git: { remote: 'https://example.org/grove/infra.git', messages: ['Start of infra'] },
  },
  'notes-cli': {
    at: 'code/notes-cli',
    files: {
      'Cargo.toml': '[package]\nname = "notes"\nversion = "0.3.1"\n',
      'src/main.rs': 'fn main() {}\n',
    },
    git: { remote: null, messages: ['First note'] },
  },
  'notes/cli': {
    at: 'code/notes/cli',
    files: { 'notes.py': 'print("notes")\n' },
    note: 'shares its directory name with code/notes-cli',
  },
  'design-tokens': {
    at: 'code/design-tokens',
    files: { 'tokens.json': '{ "leaf": "#24805a" }\n', 'README.md': '# Tokens\n' },
    git: { remote: 'https://example.org/grove/design-tokens.git', messages: ['Colours', 'Type scale'] },
  },
  'проект 日本': { at: 'code/проект 日本', files: { 'читай меня.txt': 'Привет\n', '説明.md': '# 説明\n' } },
  'old-app': { at: 'code/old-app', state: 'gone', note: 'the folder no longer exists' },
  'upload-service': {
    at: 'code/upload-service',
    state: 'renamed',
    nowAt: 'code/upload-worker',
    files: { 'package.json': pkg('upload-worker'), 'src/worker.ts': 'export const queue = []\n' },
    git: {
      remote: 'git@example.org:grove/upload-service.git',
      messages: ['Start of upload-service', 'Queue uploads'],
    },
    note: 'renamed to upload-worker; a breadcrumb knows device and inode',
  },
  'upload-worker': {
    at: 'code/upload-worker',
    note: 'the new place of upload-service, with sessions of its own',
  },
  'acme/web': {
    at: 'clients/acme/web',
    state: 'renamed',
    nowAt: 'clients/acme-corp/web',
    files: { 'index.html': '<!doctype html>\n<title>Acme</title>\n' },
    git: { remote: 'git@example.org:acme/web.git', messages: ['Landing page'] },
  },
  'acme/api': {
    at: 'clients/acme/api',
    state: 'renamed',
    nowAt: 'clients/acme-corp/api',
    files: { 'go.mod': 'module example.org/acme/api\n\ngo 1.24\n' },
    git: { remote: 'git@example.org:acme/api.git', messages: ['Orders and invoices'] },
  },
  'acme/docs': {
    at: 'clients/acme/docs',
    state: 'renamed',
    nowAt: 'clients/acme-corp/docs',
    files: { 'guide.md': '# Guide\n' },
  },
  scratch: { cwd: '/mnt/usb-scratch/scratch', state: 'unreachable', note: 'on a volume that is not mounted' },
  'shop-desktop': {
    cwd: 'C:\\Users\\kim\\code\\shop-desktop',
    state: 'other-system',
    note: 'a Windows folder',
  },
}

/** Make all project folders. */
export function addProjects(library) {
  for (const [key, place] of Object.entries(PLACES)) library.project(key, place)
}
