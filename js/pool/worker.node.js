// The worker of Node: a worker thread.

import { parentPort } from 'node:worker_threads'

import { serve } from './serve.js'

const take = serve((message, transfer) => parentPort.postMessage(message, transfer))

parentPort.on('message', take)
